import { findNearest } from '@millrace/apl';
import type { Monitor, Notifier, WriteMonitor } from '@millrace/client';
import type { Client } from '../../connection/client.js';
import type { Io } from '../../io.js';
import { namedOf, withoutRecord } from '../../find-by-name.js';
import { readDocument } from '../../document-file.js';
import { usage } from '../../failure.js';

/**
 * Monitor files omit properties that the server sets and name notifiers instead of using their IDs,
 * which differ between servers.
 */

export const monitorArgument = { doc: 'Its id or name, as monitor list shows it.' } as const;

/** Query of requests whose response has MPL apart from APL. */
export const withMpl = { include: 'mplQuery' } as const;

export function fileOf(monitor: Monitor, notifiers: readonly Notifier[], monitors: readonly Monitor[]): object {
  // A copy of an alert of an SLO is a monitor without it.
  const { notifierIds, sloId: _, ...written } = withoutRecord(monitor);
  const nameIn = (all: readonly (Monitor | Notifier)[], id: string): string =>
    all.find((each) => each.id === id)?.name ?? id;
  const others = othersOf(written, (id) => nameIn(monitors, id));
  return { ...written, ...others, notifiers: notifierIds.map((id) => nameIn(notifiers, id)) };
}

/** Other monitors that one depends on, which files name as well. */
const othersOf = (
  written: Readonly<Record<string, unknown>>,
  convert: (idOrName: string) => string,
): Partial<Pick<WriteMonitor, 'inhibitedBy' | 'notifyOnlyWhile'>> =>
  Object.fromEntries(
    (['inhibitedBy', 'notifyOnlyWhile'] as const).flatMap((member) => {
      const ids = written[member];
      return Array.isArray(ids) ? [[member, ids.map((id) => convert(String(id)))] as const] : [];
    }),
  );

/** Keys of a monitor file, except `id` and `notifiers`. */
const keys = {
  name: true,
  type: true,
  description: true,
  aplQuery: true,
  mplQuery: true,
  operator: true,
  threshold: true,
  recoveryThreshold: true,
  keepFiringMinutes: true,
  columnName: true,
  intervalMinutes: true,
  rangeMinutes: true,
  secondDelay: true,
  alertOnNoData: true,
  groupMemoryMinutes: true,
  notifyByGroup: true,
  notifyEveryRun: true,
  skipResolved: true,
  resolvable: true,
  triggerFromNRuns: true,
  triggerAfterNPositiveResults: true,
  tolerance: true,
  compareDays: true,
  disabled: true,
  disabledUntil: true,
  notifierIds: true,
  renotifyMinutes: true,
  inhibitedBy: true,
  notifyOnlyWhile: true,
  severity: true,
  labels: true,
} as const satisfies Readonly<Record<keyof WriteMonitor, true>>;
const knownKeys = [...Object.keys(keys), 'id', 'notifiers', 'createdAt', 'createdBy', 'updatedAt'];

/** The API ignores unknown keys; in a file they are mistakes. The case of keys does not matter. */
function requireKnownKeys(document: object): void {
  const known = new Set(knownKeys.map((key) => key.toLowerCase()));
  const unknown = Object.keys(document).find((key) => !known.has(key.toLowerCase()));
  if (unknown === undefined) return;
  const meant = findNearest(unknown, knownKeys);
  throw usage(`a monitor has no '${unknown}'${meant === undefined ? '' : `; did you mean '${meant}'?`}`);
}

/**
 * Parses a monitor file without the resources it names.
 * @throws Failure `usage` for an unknown key
 */
export async function writtenMonitorIn(file: string, io: Io): Promise<WriteMonitor> {
  const document = await readDocument(file, io);
  requireKnownKeys(document);
  const { id: _, notifiers: _notifiers, ...written } = document;
  return written as unknown as WriteMonitor;
}

/**
 * Parses a monitor file for the API. The server validates values.
 * @throws Failure `usage` for an unknown key
 */
export async function monitorIn(
  file: string,
  io: Io,
  client: Client,
): Promise<{ readonly id?: string; readonly body: WriteMonitor }> {
  const document = await readDocument(file, io);
  requireKnownKeys(document);
  const { id, notifiers, ...written } = document;
  const hasOthers = 'inhibitedBy' in written || 'notifyOnlyWhile' in written;
  const monitors = hasOthers ? await client.call('listMonitors') : [];
  const others = othersOf(written, (name) => namedOf(monitors, 'monitor', name).id);
  const body = { ...written, ...others } as unknown as WriteMonitor;
  const named = typeof id === 'string' ? { id } : {};
  if (!Array.isArray(notifiers)) return { ...named, body };
  const known = await client.call('listNotifiers');
  return {
    ...named,
    body: { ...body, notifierIds: notifiers.map((name) => namedOf(known, 'notifier', String(name)).id) },
  };
}
