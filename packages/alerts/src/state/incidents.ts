import { httpError } from '@millrace/api/errors';
import type {
  Incident,
  IncidentDelivery,
  IncidentRange,
  IncidentSummary,
  MonitorAttempt,
} from '@millrace/api/schemas/incident';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Connection } from '@millrace/metadata/database';
import type { Metadata } from '@millrace/metadata/metadata';
import { anyOf } from '@millrace/metadata/sql-dialect';
import type { Notification } from '../outbox/notification.js';
import type { MessageGroups } from '../outbox/receiver-state.js';
import { type ChangeDetails, conditionHash, groupHash, incidentId, type StoredChange } from './change-details.js';
import { shownAcknowledgment } from './status.js';

/** Incidents, put together from the stored changes and notifications of monitors. */

interface DetailedChange extends StoredChange {
  readonly monitorId: string;
  readonly time: number;
  readonly details: ChangeDetails;
}

/** Incidents of one list; a storm has more. */
const maxIncidents = 10_000;
/** An incident that opened in the range may have closed long after others. */
const maxClosings = 2 * maxIncidents;
const maxDeliveries = 500;
const maxOthers = 100;

/** The incidents that opened in a range, newest first. */
export async function incidentsIn(
  { monitorId, startTime, endTime }: IncidentRange,
  now: number,
  readable: ReadonlySet<string>,
  connection: Connection,
): Promise<readonly IncidentSummary[]> {
  const [from, to] = [Date.parse(startTime), endTime === undefined ? now : Date.parse(endTime)];
  const monitors = [...readable].filter((id) => monitorId === undefined || id === monitorId);
  const openings = await openingsIn({ from, to }, monitors, connection);
  const oldest = openings.at(-1)?.time;
  if (oldest === undefined) return [];
  const closings = await closingsSince(oldest, monitors, connection);
  return openings.flatMap((opening) => {
    const closed = closings.byGroup.get(keyOf(opening))?.findLast((time) => time > opening.time);
    // Whether an older one is over is not known.
    return closed === undefined && opening.time < closings.completeFrom ? [] : [summaryOf(opening, closed)];
  });
}

const keyOf = ({ monitorId, details: { group } }: DetailedChange): string => `${monitorId} ${group}`;

/**
 * The newest openings of each monitor, newest first. Of a storm of one monitor there are more, but
 * it hides no other monitor.
 */
async function openingsIn(
  { from, to }: { readonly from: number; readonly to: number },
  monitors: readonly string[],
  connection: Connection,
): Promise<readonly DetailedChange[]> {
  const ranked = connection
    .selectFrom('monitor_changes')
    .select(['monitor_id', 'time', 'change', 'position'])
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('monitor_id').orderBy('time', 'desc').orderBy('position', 'desc'))
        .as('newness'),
    )
    .where('time', '>=', from)
    .where('time', '<=', to)
    .where('monitor_id', 'in', anyOf([...monitors], connection))
    .where('change', 'like', openState);
  const rows = await connection
    .selectFrom(ranked.as('ranked'))
    .select(['monitor_id', 'time', 'change', 'position'])
    .orderBy('newness')
    .limit(maxIncidents)
    .execute();
  return rows.toSorted((a, b) => Number(b.time) - Number(a.time) || b.position - a.position).flatMap(detailedChanges);
}

interface Closings {
  /** Times by monitor and group, newest first. */
  readonly byGroup: ReadonlyMap<string, readonly number[]>;
  /** All closings from this time on are here. */
  readonly completeFrom: number;
}

async function closingsSince(from: number, monitors: readonly string[], connection: Connection): Promise<Closings> {
  const rows = await connection
    .selectFrom('monitor_changes')
    .select(['monitor_id', 'time', 'change'])
    .where('time', '>', from)
    .where('monitor_id', 'in', anyOf([...monitors], connection))
    .where('change', 'like', closedState)
    .orderBy('time', 'desc')
    .limit(maxClosings)
    .execute();
  const byGroup = new Map<string, number[]>();
  for (const closing of rows.flatMap(detailedChanges)) {
    const times = byGroup.get(keyOf(closing)) ?? [];
    byGroup.set(keyOf(closing), times);
    times.push(closing.time);
  }
  const oldest = rows.at(-1)?.time;
  return { byGroup, completeFrom: rows.length < maxClosings || oldest === undefined ? from : Number(oldest) };
}

/**
 * One incident.
 * @param reference a time in milliseconds, and the hash of a group: the incident that is open then,
 *   or closes then. Without a group the first one of the run at that time.
 * @throws HttpError `not-found`
 */
export async function incidentAt(
  monitor: StoredMonitor,
  reference: string,
  { database: connection, acknowledgments }: Pick<Metadata, 'database' | 'acknowledgments'>,
): Promise<Incident> {
  const [, digits, hash] = /^(\d{1,15})(?:-([0-9a-f]+))?$/.exec(reference) ?? [];
  const time = Number(digits);
  const missing = httpError('not-found', { kind: 'incident', name: reference });
  if (digits === undefined) throw missing;
  const group = hash ?? (await groupAt(monitor.id, time, connection));
  if (group === undefined) throw missing;
  const opened = (await changesOfGroup(monitor.id, group, connection).where('time', '<=', time).where('change', 'like', openState).orderBy('time', 'desc').orderBy('position', 'desc').limit(1).execute()).flatMap((row) => detailedChanges(row))[0]; // prettier-ignore
  if (opened === undefined) throw missing;
  const closed =
    monitor.type === 'MatchEvent'
      ? undefined
      : (
          await changesOfGroup(monitor.id, group, connection)
            .where('time', '>', opened.time)
            .where('change', 'like', closedState)
            .orderBy('time')
            .orderBy('position')
            .limit(1)
            .execute()
        ).flatMap((row) => detailedChanges(row))[0];
  const { details, checkId } = opened;
  const end = monitor.type === 'MatchEvent' ? opened.time : closed?.time;
  return {
    ...summaryOf(opened, closed?.time),
    checkId,
    keys: [...details.keys],
    values: [...details.values],
    text: details.text,
    ...(closed !== undefined && { closedText: closed.details.text }),
    ...(details.value !== undefined && { value: details.value }),
    start: instant(details.start),
    end: instant(details.end),
    ...(details.position !== undefined && { position: details.position }),
    ...(await acknowledgmentOf(opened, acknowledgments)),
    edited: details.about !== conditionHash(monitor),
    deliveries: [...(await deliveriesFor(monitor, group, { from: opened.time, to: end }, connection))],
    others: [...(await othersOf(opened, end, connection))],
  };
}

/** Acknowledgments are of the group that opened at that time. */
async function acknowledgmentOf(
  { monitorId, time, details: { group } }: DetailedChange,
  acknowledgments: Metadata['acknowledgments'],
): Promise<Pick<Incident, 'acknowledged'>> {
  const found = (await acknowledgments.list()).find(
    (each) => each.monitorId === monitorId && each.since === time && groupHash(each.group) === group,
  );
  return found === undefined ? {} : { acknowledged: shownAcknowledgment(found) };
}

const openState = '%"state":"open"%';
const closedState = '%"state":"closed"%';

/** The group of the last change up to a time; an opening comes first. */
async function groupAt(monitorId: string, time: number, connection: Connection): Promise<string | undefined> {
  const rows = await connection
    .selectFrom('monitor_changes')
    .select(['monitor_id', 'time', 'change'])
    .where('monitor_id', '=', monitorId)
    .where('time', '<=', time)
    .orderBy('time', 'desc')
    .orderBy('position')
    .limit(maxOthers)
    .execute();
  const changes = rows.flatMap((row) => detailedChanges(row));
  const newest = changes.filter((change) => change.time === changes[0]?.time);
  return (newest.find(({ state }) => state === 'open') ?? newest[0])?.details.group;
}

const changesOfGroup = (monitorId: string, group: string, connection: Connection) =>
  connection
    .selectFrom('monitor_changes')
    .select(['monitor_id', 'time', 'change'])
    .where('monitor_id', '=', monitorId)
    // Hashes need no escaping, and a quotation mark inside a JSON string is escaped.
    .where('change', 'like', `%"group":"${group}"%`);

/** Changes of earlier versions have no details, so they are in no incident. */
function detailedChanges({
  monitor_id,
  time,
  change,
}: {
  monitor_id: string;
  time: number;
  change: string;
}): readonly DetailedChange[] {
  const stored = JSON.parse(change) as StoredChange;
  return stored.details === undefined
    ? []
    : [{ ...stored, details: stored.details, monitorId: monitor_id, time: Number(time) }];
}

const summaryOf = (
  { monitorId, name, time, details: { group } }: DetailedChange,
  closed: number | undefined,
): IncidentSummary => ({
  id: incidentId(time, group),
  monitorId,
  name,
  openedAt: instant(time),
  ...(closed !== undefined && { closedAt: instant(closed) }),
});

/** Other incidents that opened from its opening to its end. */
async function othersOf(
  opened: DetailedChange,
  end: number | undefined,
  connection: Connection,
): Promise<readonly IncidentSummary[]> {
  const rows = await connection
    .selectFrom('monitor_changes')
    .select(['monitor_id', 'time', 'change'])
    .where('monitor_id', '=', opened.monitorId)
    .where('time', '>=', opened.time)
    .where('time', '<=', end ?? Number.MAX_SAFE_INTEGER)
    .where('change', 'like', openState)
    .orderBy('time')
    .limit(maxOthers + 1)
    .execute();
  const own = summaryOf(opened, undefined).id;
  return rows
    .flatMap((row) => detailedChanges(row))
    .map((change) => summaryOf(change, undefined))
    .filter(({ id }) => id !== own)
    .slice(0, maxOthers);
}

/** Deliveries of the notifications that were about it. */
async function deliveriesFor(
  { id: monitorId, type }: StoredMonitor,
  group: string,
  { from, to }: { readonly from: number; readonly to: number | undefined },
  connection: Connection,
): Promise<readonly IncidentDelivery[]> {
  const rows = await connection
    .selectFrom('notifications')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .where('created', '>=', from)
    .where('created', '<=', to ?? Number.MAX_SAFE_INTEGER)
    .orderBy('position')
    .limit(maxDeliveries)
    .execute();
  return rows
    .filter(({ groups }) =>
      groups === ''
        ? type === 'MatchEvent'
        : (JSON.parse(groups) as MessageGroups).groups.some((each) => groupHash(each) === group),
    )
    .map((row) => {
      const { action, body } = JSON.parse(row.notification) as Notification;
      return {
        id: row.id,
        notifierId: row.notifier_id,
        action,
        created: instant(row.created),
        body,
        state: row.state,
        tries: row.tries,
        ...(row.problem !== '' && { problem: row.problem }),
        ...(row.state === 'waiting' && { nextTry: instant(row.next_try) }),
        attempts: JSON.parse(row.attempts) as MonitorAttempt[],
      };
    });
}

const instant = (milliseconds: number): string => new Date(Number(milliseconds)).toISOString();
