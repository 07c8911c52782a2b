import type { Change } from '../records';
import { html, type Html, type Piece } from './html';
import { CHOICE_LABELS, type Labels, SETTING_LABELS } from './labels';
import type { ApprovalView } from './types';

interface Frame {
  title: string;
  /** Under the title. */
  subtitle: Piece;
  navigation: Html;
  content: Html;
}

/** A whole page. Without scripts, and told so to the browser. */
export const page = ({ title, subtitle, navigation, content }: Frame): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'self'; img-src data:; form-action 'self'"
        />
        <title>${title}</title>
        <link rel="stylesheet" href="/admin/pico.css" />
        <link rel="stylesheet" href="/admin/admin.css" />
      </head>
      <body>
        <header>
          <nav aria-label="Page">${navigation}</nav>
          <h1>${title}</h1>
          <p>${subtitle}</p>
        </header>
        <main>${content}</main>
      </body>
    </html>`.text;

/** A column of a table: its heading, and what it shows of a row. */
export interface Column<T> {
  label: string;
  /** Its texts may be longer than the column and without a space. */
  long?: true;
  cell(row: T): Piece;
}

/** A table with the roles that browsers take away when a phone shows its rows as cards. */
export const table = <T>(label: string, columns: Array<Column<T>>, rows: readonly T[]): Html =>
  html`<table role="table" aria-label="${label}">
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((column) => html`<th role="columnheader" scope="col">${column.label}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row">
            ${columns.map(
              (column) =>
                html`<td role="cell" class="${column.long ? 'long' : ''}" data-label="${column.label}">
                  <span>${column.cell(row)}</span>
                </td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;

/** How many rows of a list are shown at once. */
const SHOWN = 5;

/** The first rows of a list, and the others to be opened; `show` makes the markup of some rows. */
export function shortList<T>(rows: readonly T[], show: (some: readonly T[]) => Html): Html {
  const more = rows.slice(SHOWN);
  const others = html`<details>
    <summary>Show ${more.length} more</summary>
    ${show(more)}
  </details>`;
  return html`${show(rows.slice(0, SHOWN))} ${more.length === 0 ? null : others}`;
}

/** An ID or a key that one click selects, to be copied. */
export const copyable = (text: string): Html =>
  html`<code class="copy" title="Click to select">${text}</code>`;

/** What a person calls something, and its name in the API. */
export function named(labels: Labels, name: string): Html {
  const label = labels.get(name);
  return label === undefined ? html`<code>${name}</code>` : html`${label} <code>${name}</code>`;
}

/** A timestamp to the second, in UTC. */
export const moment = (timestamp: string | null): Html =>
  timestamp === null
    ? html`–`
    : html`<time datetime="${timestamp}">${timestamp.slice(0, 19).replace('T', ' ')} UTC</time>`;

/** How a badge looks. */
export type Tone = 'good' | 'bad' | 'wait' | 'plain';

/** A state as a colored word. */
export const badge = (text: string, tone: Tone): Html => html`<span class="state ${tone}">${text}</span>`;

/** A value of a setting in words; a list or an object as JSON. */
function valueText(path: string, value: unknown): string {
  if (value === undefined || value === null) return 'empty';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  return CHOICE_LABELS.get(`${path} ${value}`) ?? value;
}

/** The changes of a record: field, before and after. */
export const changesTable = (changes: readonly Change[]): Html =>
  table(
    'Changes',
    [
      { label: 'Field', long: true, cell: ({ path }) => named(SETTING_LABELS, path) },
      { label: 'Before', cell: ({ path, before }) => html`<del>${valueText(path, before)}</del>` },
      { label: 'After', cell: ({ path, after }) => html`<ins>${valueText(path, after)}</ins>` },
    ],
    changes,
  );

/** Approve and Reject, as a form that works without scripts. */
export const decisionForm = ({ id, path }: Pick<ApprovalView, 'id' | 'path'>): Html =>
  html`<form method="post" action="${path}">
    <button name="decision" value="approved" aria-describedby="${`title-${id}`}">Approve</button>
    <button name="decision" value="rejected" aria-describedby="${`title-${id}`}">Reject</button>
  </form>`;
