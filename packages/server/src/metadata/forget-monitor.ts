import type { Connection } from './database.js';

/**
 * Removes what is kept about a monitor that is deleted. Notifications that were decided are still
 * sent.
 */
export async function forgetMonitor(id: string, connection: Connection): Promise<void> {
  for (const table of ['monitor_states', 'monitor_runs', 'monitor_changes'] as const)
    await connection.deleteFrom(table).where('monitor_id', '=', id).execute();
}
