/**
 * Yields results of `run` in order of completion, with at most `atOnce` in flight. The next one
 * starts when a result has been consumed, so that at most `atOnce` results wait in memory. `run`
 * must not fail.
 */
export async function* inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  run: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const waiting = items.values();
  const running = new Map<number, Promise<{ readonly key: number; readonly result: R }>>();
  let started = 0;
  const start = (): void => {
    const next = waiting.next();
    if (next.done === true) return;
    const key = started++;
    running.set(
      key,
      run(next.value).then((result) => ({ key, result })),
    );
  };
  for (let i = 0; i < atOnce; i++) start();
  while (running.size > 0) {
    const { key, result } = await Promise.race(running.values());
    running.delete(key);
    yield result;
    start();
  }
}
