import type { Logger } from 'pino';
import { monitorsOf, orphanMonitors } from '@millrace/alerts/orphan-monitors';
import { forgetUser } from '@millrace/metadata/memberships';
import type { Metadata } from '@millrace/metadata/metadata';
import { reassignDashboards } from '../../dashboards/reassign.js';

interface Removal {
  /** ID of the user to remove. */
  readonly id: string;
  /** ID of the user who removes. */
  readonly author: string;
}

/**
 * Removes a user, deletes the user's private saved queries, makes private dashboards public, and
 * disables the user's monitors.
 * @throws HttpError `not-found`, `protected-resource`
 */
export async function removeUser({ id, author }: Removal, metadata: Metadata, log: Logger): Promise<void> {
  const { users, starredQueries, dashboards, monitors } = metadata;
  await users.requireRemovable(id);
  await reassignDashboards(dashboards, id, author);
  // No other user could read or delete them, and they would count toward the quota.
  const privateQueries = (await starredQueries.list()).filter(({ who, dataset }) => who === id && dataset === '');
  const monitorIds = await monitorsOf(metadata, id);
  const removed = users.delete(id, async (connection) => {
    await reassignDashboards(dashboards, id, author, connection);
    await starredQueries.deleteAll(
      privateQueries.map((query) => query.id),
      connection,
    );
    await orphanMonitors(metadata, { ids: monitorIds, userId: id }, connection);
  });
  await removed.finally(() => {
    starredQueries.recordWrite();
    monitors.recordWrite();
  });
  for (const monitor of monitorIds)
    log.warn(
      { monitor, user: id },
      'monitor disabled because the user who wrote it was removed; save it again to run it',
    );
  await forgetUser(metadata, id);
}
