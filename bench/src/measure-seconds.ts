/** The seconds that some work takes. */
export async function measureSeconds(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Mean duration in seconds of some work, repeated for a minimum time and at least once. */
export async function timedOften(work: () => unknown, atLeast: number): Promise<number> {
  let times = 0;
  const seconds = await measureSeconds(async () => {
    const started = performance.now();
    do {
      await work();
      times++;
    } while (performance.now() - started < atLeast * 1000);
  });
  return seconds / times;
}
