import type { Connection } from '../database.js';
import { closeAtReceivers } from './receiver-states.js';

/**
 * Removes the state of a deleted monitor. Events that matched are still notified, and receivers are
 * notified that open alerts of the monitor are resolved.
 */
export async function forgetMonitor(id: string, connection: Connection): Promise<void> {
  await closeAtReceivers({ monitorId: id, why: 'The monitor was deleted' }, connection);
  for (const table of ['monitor_states', 'monitor_runs', 'monitor_changes'] as const)
    await connection.deleteFrom(table).where('monitor_id', '=', id).execute();
}
