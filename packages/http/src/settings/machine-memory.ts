import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';

/** Memory that this process may use, in bytes: of the machine, or of its cgroup if that is less. */
export function machineMemory(): number {
  // Zero or an enormous number without a limit.
  const limit = constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
