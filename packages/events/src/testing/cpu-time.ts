/**
 * Milliseconds of CPU time that `work` takes: unlike elapsed time, hardly affected by a busy
 * machine.
 */
export function cpuMilliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
