import type { Monitor, Notifier, WriteMonitor } from '@millrace/client';
import type { Client } from '../../connection/client.js';
import type { Io } from '../../io.js';
import { namedOf, withoutRecord } from '../../by-name.js';
import { readDocument } from '../../document-file.js';

/**
 * Monitors as files: without what the server sets, and with the names of notifiers in place of
 * their ids, which differ from server to server.
 */

export const monitorArgument = { doc: 'Its id or name, as monitor list shows it.' } as const;

export function fileOf(monitor: Monitor, notifiers: readonly Notifier[]): object {
  const { notifierIds, ...written } = withoutRecord(monitor);
  const names = notifierIds.map((id) => notifiers.find((notifier) => notifier.id === id)?.name ?? id);
  return { ...written, notifiers: names };
}

/**
 * The monitor in a file as the server takes it, which checks it and says what is wrong and where.
 */
export async function monitorIn(
  file: string,
  io: Io,
  client: Client,
): Promise<{ readonly id?: string; readonly body: WriteMonitor }> {
  const { id, notifiers, ...written } = await readDocument(file, io);
  const body = written as unknown as WriteMonitor;
  const named = typeof id === 'string' ? { id } : {};
  if (!Array.isArray(notifiers)) return { ...named, body };
  const known = await client.call('listNotifiers');
  return {
    ...named,
    body: { ...body, notifierIds: notifiers.map((name) => namedOf(known, 'notifier', String(name)).id) },
  };
}
