import { type Drift, takesAway } from './drift';

/** The differences as a person reads them: one line each, with the operations below, and a sum at the end. */
export function report(drifts: Drift[]): string {
  const lines = drifts.map(
    ({ kind, part, what, operations }) =>
      `${kind.padEnd(10)}${part} ${what}\n${' '.repeat(10)}in ${operations.join(', ')}`,
  );
  return [...lines, summary(drifts)].join('\n');
}

function summary(drifts: Drift[]): string {
  if (drifts.length === 0) return 'No difference: everything that the nodes use is as they know it.';
  const taken = drifts.filter(takesAway).length;
  const differences = drifts.length === 1 ? '1 difference' : `${drifts.length} differences`;
  return taken === 0
    ? `${differences}; everything that the nodes use is still there.`
    : `${differences}; ${taken} of them ${taken === 1 ? 'takes' : 'take'} away something that the nodes use.`;
}
