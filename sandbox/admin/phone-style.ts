import { html } from './html';

/** On a phone, every row of a table becomes a card with its column heads inside. */
export const phoneStyle = html`
  <style>
    @media (max-width: 44rem) {
      thead {
        position: absolute;
        left: -100rem;
      }
      table,
      tbody,
      tr,
      td {
        display: block;
      }
      table {
        border: 0;
        background: none;
      }
      tr {
        margin: 0 0 0.75rem;
        padding: 0.25rem 0;
        background: var(--paper);
        border: 1px solid var(--line);
        border-radius: 0.5rem;
      }
      td {
        display: grid;
        grid-template-columns: 6.5rem 1fr;
        gap: 0.75rem;
        border: 0;
        padding: 0.25rem 0.75rem;
        overflow-wrap: anywhere;
      }
      td::before {
        content: attr(data-label);
        color: var(--quiet);
        font-size: 0.875rem;
      }
      .card table tr {
        padding: 0.25rem 0;
      }
      .card td {
        grid-template-columns: 4rem 1fr;
        padding: 0.2rem 0.6rem;
      }
      dl {
        grid-template-columns: 1fr;
        gap: 0;
      }
      dd {
        margin-bottom: 0.5rem;
      }
      form button {
        flex: 1;
      }
    }
  </style>
`;
