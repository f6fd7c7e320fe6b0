/**
 * Runs a task again and again, never twice at once.
 * @param failed reports a failed run, of a task that does not do so itself
 * @param atOnce whether the first run begins now, instead of when the time has passed once
 * @returns stops it and waits for a running one
 */
export function runEvery(
  milliseconds: number,
  task: () => Promise<void>,
  failed: (error: unknown) => void = () => {},
  { atOnce = false } = {},
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= task()
      .catch(failed)
      .finally(() => (running = undefined));
  };
  const timer = setInterval(run, milliseconds);
  timer.unref();
  if (atOnce) run();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
