import type { Connection } from '@millrace/metadata/database';
import type { MonitorChange, MonitorDelivery, MonitorRun } from '@millrace/api/schemas/monitor';
import type { Notification } from '../outbox/notification.js';
import { shownChange, type StoredChange } from './change-details.js';
import { healthMonitorId, type RunRecord } from './records.js';
import { toApiRun } from './status.js';

/** Queries across monitors for the API, and outcomes of notifications. */

interface Recent {
  readonly id: string;
  readonly runs: readonly MonitorRun[];
  readonly changed?: MonitorChange;
}

/** Recent runs of every monitor, newest first, with its last state change. */
export async function recentOf(max: number, connection: Connection): Promise<readonly Recent[]> {
  const numbered = connection.selectFrom('monitor_runs').select(({ fn }) => [
    'monitor_id',
    'run',
    fn
      .agg<number>('row_number')
      .over((over) => over.partitionBy('monitor_id').orderBy('time', 'desc'))
      .as('place_from_end'),
  ]);
  const rows = await connection
    .selectFrom(numbered.as('numbered'))
    .select(['monitor_id', 'run'])
    .where('place_from_end', '<=', max)
    .where('monitor_id', '!=', healthMonitorId)
    .orderBy('monitor_id')
    .orderBy('place_from_end')
    .execute();
  const changes = await connection
    .selectFrom('monitor_changes')
    .select(['monitor_id', 'change'])
    .where('position', 'in', ({ selectFrom }) =>
      selectFrom('monitor_changes')
        .select(({ fn }) => fn.max('position').as('position'))
        .groupBy('monitor_id'),
    )
    .execute();
  const changedOf = new Map(
    changes.map(({ monitor_id, change }) => [monitor_id, shownChange(JSON.parse(change) as StoredChange)]),
  );
  const found = new Map<string, MonitorRun[]>();
  for (const { monitor_id, run } of rows) {
    const runs = found.get(monitor_id) ?? [];
    runs.push(toApiRun(JSON.parse(run) as RunRecord));
    found.set(monitor_id, runs);
  }
  return [...found].map(([id, runs]) => {
    const changed = changedOf.get(id);
    return { id, runs, ...(changed !== undefined && { changed }) };
  });
}

/** Deliveries of a monitor's notifications since a time, by the time of their run. */
export async function deliveriesOf(
  monitorId: string,
  since: number,
  connection: Connection,
): Promise<ReadonlyMap<number, readonly MonitorDelivery[]>> {
  const rows = await connection
    .selectFrom('notifications')
    .select(['created', 'notifier_id', 'state', 'tries', 'problem', 'notification'])
    .where('monitor_id', '=', monitorId)
    .where('created', '>=', since)
    .orderBy('position')
    .execute();
  const found = new Map<number, MonitorDelivery[]>();
  for (const { created, notifier_id, state, tries, problem, notification } of rows) {
    const { action } = JSON.parse(notification) as Notification;
    const deliveries = found.get(created) ?? [];
    deliveries.push({ notifierId: notifier_id, action, state, tries, ...(problem !== '' && { problem }) });
    found.set(created, deliveries);
  }
  return found;
}
