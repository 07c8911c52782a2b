/**
 * Lets the waits of the nodes' deduplication end at once, with a chance that is always a half, until mocks are
 * restored. Others in this process, e.g. of n8n's services, go on as they are.
 *
 * @returns how long they would have been
 */
export function skipWaits(): number[] {
  const waits: number[] = [];
  const { setTimeout: wait } = globalThis;
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation((done, milliseconds = 0, ...values) => {
    const callers = new Error('Who waits?').stack ?? '';
    if (!callers.includes('/deduplication/')) return wait(done, milliseconds, ...values);
    waits.push(milliseconds);
    return wait(done, 0);
  });
  return waits;
}
