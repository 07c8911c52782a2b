/** How far one file came. `seconds` run from filing the document to having fetched it after its event. */
export interface Journey {
  file: string;
  /** The company that it was filed under, by name. */
  company: string;
  isFiled: boolean;
  /** What the agency told of it, as n8n's panel names the event. */
  event?: string;
  /** n8n took the agency's signed call, and refused a forged copy of it; undefined without a call that it took. */
  verified?: boolean;
  seconds?: number;
  /** Why it came no further. */
  trouble?: string;
}

/** True when the file was filed, read, announced by an event and fetched, and no forged call was taken. */
export const arrived = ({ isFiled, event, verified, seconds, trouble }: Journey): boolean =>
  isFiled && event !== undefined && verified !== false && seconds !== undefined && !trouble;

function signature(event: Journey['event'], verified: Journey['verified']): string {
  if (event === undefined) return '-';
  if (verified === undefined) return 'not checked';
  return verified ? 'verified' : 'NOT VERIFIED';
}

/** The journeys as a text table with a closing line. */
export function table(journeys: Journey[]): string {
  const head = ['Document', 'Company', 'Event', 'Signature', 'Seconds'];
  const rows = journeys.map(({ file, company, isFiled, event, verified, seconds, trouble }) => [
    file.normalize('NFC'),
    isFiled ? company : '-',
    event ?? '-',
    signature(event, verified),
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
