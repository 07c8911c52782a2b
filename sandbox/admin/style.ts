import { html } from './html';

/** The look of every page: enough contrast, a visible focus, buttons large enough to touch. */
export const style = html`
  <style>
    :root {
      --ink: #1d2430;
      --quiet: #55607a;
      --line: #d5dae4;
      --paper: #ffffff;
      --desk: #f2f4f8;
      --accent: #14508c;
      --good: #0f6b3a;
      --good-back: #e2f4e9;
      --bad: #a81c2b;
      --bad-back: #fbe7e9;
      --wait: #7a4b00;
      --wait-back: #fdf0d5;
    }
    * {
      box-sizing: border-box;
    }
    body {
      margin: 0;
      background: var(--desk);
      color: var(--ink);
      font:
        16px/1.5 system-ui,
        'Segoe UI',
        'DejaVu Sans',
        sans-serif;
    }
    header {
      background: var(--accent);
      color: #ffffff;
    }
    header > div,
    main {
      max-width: 80rem;
      margin: 0 auto;
      padding: 1rem 1.25rem;
    }
    header p {
      margin: 0.25rem 0 0;
      color: #e3edf8;
    }
    header nav {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 1.25rem;
      margin-top: 0.5rem;
    }
    header a {
      color: #ffffff;
      padding: 0.25rem 0;
    }
    .skip {
      position: absolute;
      left: -100rem;
    }
    .skip:focus {
      left: 1rem;
      top: 0.5rem;
      padding: 0.5rem 1rem;
      background: var(--paper);
      color: var(--accent);
    }
    h1 {
      margin: 0;
      font-size: 1.5rem;
      line-height: 1.25;
    }
    h2 {
      margin: 2rem 0 0.75rem;
      font-size: 1.25rem;
    }
    .card > h2 {
      margin-top: 0;
    }
    h3 {
      margin: 0;
      font-size: 1.05rem;
    }
    a {
      color: var(--accent);
    }
    :focus-visible {
      outline: 3px solid #f0a500;
      outline-offset: 2px;
    }
    .card {
      margin: 0 0 1rem;
      padding: 1rem 1.25rem;
      background: var(--paper);
      border: 1px solid var(--line);
      border-radius: 0.5rem;
    }
    .quiet {
      margin: 0.25rem 0 0.75rem;
      color: var(--quiet);
    }
    table {
      width: 100%;
      border-collapse: collapse;
      background: var(--paper);
      border: 1px solid var(--line);
    }
    th,
    td {
      padding: 0.5rem 0.75rem;
      text-align: left;
      vertical-align: top;
      border-bottom: 1px solid var(--line);
    }
    td.long {
      overflow-wrap: anywhere;
    }
    th {
      white-space: nowrap;
      color: var(--quiet);
      font-size: 0.875rem;
    }
    td time,
    td code {
      font-size: 0.875rem;
    }
    td time,
    td .badge {
      white-space: nowrap;
    }
    code {
      font-family: ui-monospace, 'DejaVu Sans Mono', monospace;
    }
    del,
    ins {
      display: inline-block;
      padding: 0 0.4rem;
      border-radius: 0.25rem;
      font-family: ui-monospace, 'DejaVu Sans Mono', monospace;
      font-size: 0.875rem;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    del {
      background: var(--bad-back);
      color: var(--bad);
    }
    ins {
      background: var(--good-back);
      color: var(--good);
      text-decoration: none;
    }
    .badge {
      display: inline-block;
      padding: 0.05rem 0.6rem;
      border-radius: 1rem;
      font-size: 0.875rem;
      background: var(--desk);
      color: var(--ink);
    }
    .good {
      background: var(--good-back);
      color: var(--good);
    }
    .bad {
      background: var(--bad-back);
      color: var(--bad);
    }
    .wait {
      background: var(--wait-back);
      color: var(--wait);
    }
    .reason {
      color: var(--bad);
    }
    dl {
      display: grid;
      grid-template-columns: max-content 1fr;
      gap: 0.35rem 1.25rem;
      margin: 0 0 1rem;
    }
    dt {
      color: var(--quiet);
    }
    dd {
      margin: 0;
      overflow-wrap: anywhere;
    }
    form {
      display: flex;
      flex-wrap: wrap;
      gap: 0.75rem;
      margin: 1rem 0 0;
    }
    button {
      min-height: 2.75rem;
      padding: 0.5rem 1.5rem;
      border: 2px solid var(--good);
      border-radius: 0.375rem;
      background: var(--good);
      color: #ffffff;
      font: inherit;
      font-weight: 600;
      cursor: pointer;
    }
    button.reject {
      border-color: var(--bad);
      background: var(--paper);
      color: var(--bad);
    }
  </style>
`;
