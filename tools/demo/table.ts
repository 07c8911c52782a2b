/** How far one file came. `seconds` run from filing the document to having fetched it after its event. */
export interface Journey {
  file: string;
  document?: string;
  event?: string;
  /** n8n took the agency's signed call and refused a forged copy of it. */
  verified?: boolean;
  seconds?: number;
  /** Why it came no further. */
  trouble?: string;
}

/** True when the file was filed, read, announced by a verified event and fetched. */
export const arrived = ({ document, event, verified, seconds, trouble }: Journey): boolean =>
  document !== undefined && event !== undefined && verified === true && seconds !== undefined && !trouble;

/** The journeys as a text table with a closing line. */
export function table(journeys: Journey[]): string {
  const head = ['file', 'document', 'event', 'verified', 'seconds'];
  const rows = journeys.map(({ file, document, event, verified, seconds, trouble }) => [
    file.normalize('NFC'),
    document ?? '-',
    event ?? '-',
    verified === undefined ? '-' : verified ? 'yes' : 'NO',
    `${seconds?.toFixed(1) ?? '-'}${trouble ? `  ${trouble}` : ''}`,
  ]);
  const widths = head.map((title, column) =>
    Math.max(
      title.length,
      ...rows.map((row) => (column === head.length - 1 ? 0 : [...(row[column] ?? '')].length)),
    ),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length)))
      .join('  ')
      .trimEnd();
  const made = journeys.filter(arrived).length;
  return [
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    '',
    `${made} of ${journeys.length} files made it.`,
  ].join('\n');
}
