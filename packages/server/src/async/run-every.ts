/**
 * Runs a task again and again, never twice at once.
 * @param failed reports a failed run, of a task that does not do so itself
 * @returns stops it and waits for a running one
 */
export function runEvery(
  milliseconds: number,
  task: () => Promise<void>,
  failed: (error: unknown) => void = () => {},
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= task()
      .catch(failed)
      .finally(() => (running = undefined));
  }, milliseconds);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
