import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationIds } from '../../support/sandbox/contract';
import { SPEC_ROWS, type SpecRow } from './contract-table/rows';
import { HELD_BY } from './contract-table/held-by';

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a file has a test with this title and a body, and nothing in it that would leave tests out. */
function faultOf(file: string, title: string): string | undefined {
  const source = readFileSync(join(__dirname, '../..', file), 'utf8');
  const titled = new RegExp(`(['"\`])${escaped(title)}\\1,\\s*(?:async\\s*)?\\(`);
  if (!titled.test(source)) return `${file} has no test "${title}"`;
  const leavesOut =
    /\b(?:x?(?:it|test|describe)\.(?:skip|only|todo|failing)|xit|xtest|xdescribe|fit|fdescribe)\b/;
  return leavesOut.test(source) ? `${file} leaves tests out` : undefined;
}

describe('the tables of the specification', () => {
  const rows: readonly SpecRow[] = Object.values(SPEC_ROWS).flat();

  test.each(rows)('"%s" is held by tests that exist', (row) => {
    const tests = HELD_BY[row];
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.flatMap(([file, title]) => faultOf(file, title) ?? [])).toEqual([]);
  });

  test('have no row twice, and no entry without a row', () => {
    expect(new Set(rows).size).toBe(rows.length);
    expect(Object.keys(HELD_BY).sort()).toEqual([...rows].sort());
  });

  test('have as many endpoints as the contract has operations', () => {
    expect(SPEC_ROWS.Endpoints).toHaveLength(operationIds().length);
  });
});
