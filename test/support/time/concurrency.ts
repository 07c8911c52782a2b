/** Does all of it, so much at a time, and begins it in its order. */
export async function concurrently(work: Array<() => Promise<unknown>>, width: number): Promise<void> {
  const left = work.values();
  const lane = async () => {
    for (const mine of left) await mine();
  };
  await Promise.all(Array.from({ length: width }, lane));
}
