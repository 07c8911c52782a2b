import { readChoice } from '../../e2e/options';
import type { Finding, Part } from '../../e2e/part';
import { table } from '../../e2e/table';
import { N8N_1, N8N_2, N8N_2_CLASSIC } from '../../e2e/variants';

const run = async () => undefined;
const PARTS: Part[] = [
  { name: 'install', on: [N8N_2, N8N_1], run },
  { name: 'browser', on: [N8N_2], run },
];

describe('what the end-to-end tests are asked for', () => {
  const chosen = (...args: string[]) => readChoice(args, PARTS).parts.map(({ name, on }) => ({ name, on }));

  test('is everything by itself', () => {
    expect(chosen()).toEqual([
      { name: 'install', on: [N8N_2, N8N_1] },
      { name: 'browser', on: [N8N_2] },
    ]);
  });

  test('is a part, on a version', () => {
    expect(chosen('--only', 'install', '--n8n', '1.123.81')).toEqual([{ name: 'install', on: [N8N_1] }]);
  });

  test('leaves out a part that the version has no business with', () => {
    expect(chosen('--n8n', '1.123.81').map(({ name }) => name)).toEqual(['install']);
  });

  test.each([
    [['--only', 'lunch'], /There is no part "lunch"[^]*Parts: install, browser/],
    [['--n8n', '3.0.0'], /There is no version "3\.0\.0"[^]*Versions: 2\.41\.1, 1\.123\.81/],
    [['--only', 'browser', '--n8n', '1.123.81'], /No part of these runs on n8n 1\.123\.81/],
    [['--node', '/no/such/node'], /There is no program \/no\/such\/node/],
  ])('%j is refused with the usage', (args, message) => {
    expect(() => chosen(...args)).toThrow(message);
  });
});

describe('the table of the end-to-end tests', () => {
  const finding = (part: string, variant: Finding['variant'], what: string, trouble?: string): Finding => ({
    part,
    variant,
    what,
    trouble,
  });

  test('shows what held on which n8n, why something did not, and the counts', () => {
    const text = table([
      finding('install', N8N_2, 'icons are served'),
      finding('trigger-life', N8N_2, 'a kill leaves one endpoint'),
      finding('trigger-life', N8N_2_CLASSIC, 'a kill leaves one endpoint', 'There are 2.'),
      finding('install', N8N_1, 'icons are served'),
    ]);
    expect(text).toBe(
      [
        '2.41.1   2.41.1   1.123.81  What held on which n8n',
        'default  classic  default   (-: not looked at there)',
        '-------  -------  --------  ------------------------------------------------------------',
        '',
        '                            install',
        'yes      -        yes         icons are served',
        '',
        '                            trigger-life',
        'yes      NO       -           a kill leaves one endpoint',
        '',
        'n8n 2.41.1 classic, trigger-life: a kill leaves one endpoint',
        'There are 2.',
        '',
        '3 passed, 1 failed',
      ].join('\n'),
    );
  });
});
