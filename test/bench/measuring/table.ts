import type { Patience } from './measure';

/** One line of the results. */
export interface Row {
  work: string;
  ours: string;
  /** What a builder would use instead. */
  other: string;
  floor: string;
  /** What is compared with the target. */
  ratio: string;
  target: string;
  met: boolean;
}

/** One measurement, which gives one row or several. */
export interface Bench {
  /** What `--only` calls it. */
  name: string;
  run(setting: Setting): Promise<Row[]>;
}

/** What every measurement is told. */
export interface Setting extends Patience {
  /** Whether small numbers of files, items and events will do. */
  quick: boolean;
  /** Gets a line before something takes long. */
  say: (line: string) => void;
}

const COLUMNS = ['work', 'ours', 'other', 'floor', 'ratio', 'target', 'met'] as const;
const HEADS = ['Work', 'Ours', 'Instead', 'Floor', 'Reached', 'Target', 'Met'];

/** The rows as a Markdown table, its columns in line. */
export function table(rows: Row[]): string {
  const cells = [
    HEADS,
    ...rows.map((row) =>
      COLUMNS.map((column) => (column === 'met' ? (row.met ? 'yes' : 'NO') : row[column])),
    ),
  ];
  const widths = HEADS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const line = (texts: string[]) =>
    `| ${texts.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
