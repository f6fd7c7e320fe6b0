/** Milliseconds of CPU time `work` takes: unlike the clock, the same on a busy machine. */
export function cpuMilliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
