import type { IExecuteFunctions } from 'n8n-workflow';

/** What a run has left out, counted, which n8n shows beside the output. */
export class Hints {
  private readonly counts = new Map<string, number>();

  /** @param what of which there are so many more, in words, e.g. "Small images left out" */
  count(what: string, more: number): void {
    if (more > 0) this.counts.set(what, more + (this.counts.get(what) ?? 0));
  }

  show(node: Pick<IExecuteFunctions, 'addExecutionHints'>): void {
    node.addExecutionHints(...[...this.counts].map(([what, count]) => ({ message: `${what}: ${count}` })));
  }
}
