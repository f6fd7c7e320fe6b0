/**
 * Runs a task again and again, never twice at once; a failed run is the task's business to report.
 * @returns stops it and waits for a running one
 */
export function runEvery(milliseconds: number, task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= task()
      .catch(() => {})
      .finally(() => (running = undefined));
  }, milliseconds);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
