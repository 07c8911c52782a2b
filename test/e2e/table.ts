import type { Finding } from './part';

/** What held on which n8n, as a text table with a closing line. */
export function table(findings: Finding[]): string {
  const head = ['n8n', 'part', 'held', 'seconds', 'what'];
  const rows = findings.map(({ version, part, trouble, seconds, what }) => [
    version ?? '-',
    part,
    trouble === undefined ? 'yes' : 'NO',
    seconds.toFixed(1),
    what,
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const failed = findings.filter(({ trouble }) => trouble !== undefined);
  return [
    line(head),
    line(widths.map((width) => '-'.repeat(Math.min(width, 60)))),
    ...rows.map(line),
    ...failed.map(({ version, part, what, trouble }) => `\n${version ?? ''} ${part}: ${what}\n${trouble}`),
    '',
    `${findings.length - failed.length} passed, ${failed.length} failed`,
  ].join('\n');
}
