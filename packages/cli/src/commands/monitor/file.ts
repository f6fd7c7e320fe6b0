import { nearest } from '@millrace/apl';
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

export function fileOf(monitor: Monitor, notifiers: readonly Notifier[]): object {
  const { notifierIds, ...written } = withoutRecord(monitor);
  const names = notifierIds.map((id) => notifiers.find((notifier) => notifier.id === id)?.name ?? id);
  return { ...written, notifiers: names };
}

/** Keys of a monitor file, except `id` and `notifiers`. */
const keys = {
  name: true,
  type: true,
  description: true,
  aplQuery: true,
  mplQuery: true,
  operator: true,
  threshold: true,
  columnName: true,
  intervalMinutes: true,
  rangeMinutes: true,
  secondDelay: true,
  alertOnNoData: true,
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
  severity: true,
  labels: true,
} as const satisfies Readonly<Record<keyof WriteMonitor, true>>;
const knownKeys = [...Object.keys(keys), 'id', 'notifiers', 'createdAt', 'createdBy', 'updatedAt'];

/** The API ignores unknown keys; in a file they are mistakes. The case of keys does not matter. */
function requireKnownKeys(document: object): void {
  const known = new Set(knownKeys.map((key) => key.toLowerCase()));
  const unknown = Object.keys(document).find((key) => !known.has(key.toLowerCase()));
  if (unknown === undefined) return;
  const meant = nearest(unknown, knownKeys);
  throw usage(`a monitor has no '${unknown}'${meant === undefined ? '' : `; did you mean '${meant}'?`}`);
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
  const body = written as unknown as WriteMonitor;
  const named = typeof id === 'string' ? { id } : {};
  if (!Array.isArray(notifiers)) return { ...named, body };
  const known = await client.call('listNotifiers');
  return {
    ...named,
    body: { ...body, notifierIds: notifiers.map((name) => namedOf(known, 'notifier', String(name)).id) },
  };
}
