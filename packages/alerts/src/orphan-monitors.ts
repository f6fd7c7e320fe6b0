import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Connection } from '@millrace/metadata/database';
import type { Metadata } from '@millrace/metadata/metadata';

/** Whether a monitor runs with the rights of a user. */
const isOf = ({ writtenBy, createdBy }: StoredMonitor, userId: string): boolean => (writtenBy ?? createdBy) === userId;

/** Ids of the monitors that run with the rights of a user. */
export const monitorsOf = async (
  { monitors }: Pick<Metadata, 'monitors'>,
  userId: string,
): Promise<readonly string[]> => (await monitors.list()).filter((monitor) => isOf(monitor, userId)).map(({ id }) => id);

/**
 * Disables monitors of a user who is being removed, in that transaction. The caller calls
 * `monitors.written` afterwards.
 */
export async function orphanMonitors(
  { monitors }: Pick<Metadata, 'monitors'>,
  { ids, userId }: { readonly ids: readonly string[]; readonly userId: string },
  connection: Connection,
): Promise<void> {
  for (const id of ids) {
    const present = await monitors.find('id', id, connection);
    // Another user may have written it since.
    if (present === undefined || !isOf(present, userId)) continue;
    await monitors.rewrite({ ...present, disabled: true, isOrphaned: true }, connection);
  }
}
