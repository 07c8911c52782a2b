import type { Finding } from './part';
import { VARIANTS } from './variants';

const GAP = '  ';

/**
 * What held on which n8n: a column for each n8n, a row for each thing that was looked at, under its part; then why
 * something did not hold, and a closing line with the counts.
 */
export function table(findings: Finding[]): string {
  const columns = VARIANTS.filter((each) => findings.some(({ variant }) => variant === each)).map(
    (variant) => {
      const names = [variant.version, variant.mode];
      return { variant, names, width: Math.max(...names.map((name) => name.length)) };
    },
  );
  const line = (cells: string[], text: string) =>
    [...columns.map(({ width }, index) => (cells[index] ?? '').padEnd(width)), text].join(GAP).trimEnd();
  const row = (part: string, what: string) => {
    const held = columns.map(({ variant }) =>
      findings.filter((each) => each.part === part && each.what === what && each.variant === variant),
    );
    return line(held.map(cell), `${GAP}${what}`);
  };
  const parts = [...new Set(findings.map(({ part }) => part))].flatMap((part) => {
    const own = findings.filter((each) => each.part === part);
    const rows = [...new Set(own.map(({ what }) => what))].map((what) => row(part, what));
    return ['', line([], part), ...rows];
  });
  const failed = findings.filter(({ trouble }) => trouble !== undefined);
  const reasons = failed.flatMap(({ variant, part, what, trouble }) => [
    '',
    `n8n ${variant.version} ${variant.mode}, ${part}: ${what}`,
    trouble ?? '',
  ]);
  return [
    line(
      columns.map(({ names }) => names[0] ?? ''),
      'What held on which n8n',
    ),
    line(
      columns.map(({ names }) => names[1] ?? ''),
      '(-: not looked at there)',
    ),
    line(
      columns.map(({ width }) => '-'.repeat(width)),
      '-'.repeat(60),
    ),
    ...parts,
    ...reasons,
    '',
    `${findings.length - failed.length} passed, ${failed.length} failed`,
  ].join('\n');
}

function cell(findings: Finding[]): string {
  if (findings.length === 0) return '-';
  return findings.every(({ trouble }) => trouble === undefined) ? 'yes' : 'NO';
}
