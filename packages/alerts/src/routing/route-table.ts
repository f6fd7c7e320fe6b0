import { httpError, HttpError } from '@millrace/api/errors';
import type { NotificationRoute, NotificationRoutes, StoredRoutes } from '@millrace/api/schemas/notification-route';
import type { Metadata } from '@millrace/metadata/metadata';

/** The stored table of routes: one document, replaced as a whole, so its order is never mixed. */

export async function storedRoutes({ notificationRoutes }: Pick<Metadata, 'notificationRoutes'>) {
  return (await notificationRoutes.list())[0]?.routes ?? [];
}

/** The table as shown to clients. */
export async function shownRoutes({
  notificationRoutes,
}: Pick<Metadata, 'notificationRoutes'>): Promise<NotificationRoutes> {
  const [stored] = await notificationRoutes.list();
  if (stored === undefined) return { routes: [], version: 0 };
  const { id: _, ...shown } = stored;
  return shown;
}

interface RouteTableUpdate {
  readonly routes: readonly NotificationRoute[];
  /** The version that was read, if the caller says so. */
  readonly version?: number | undefined;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** @throws HttpError `version-conflict` if another version was written in the meantime */
export async function replaceRoutes(
  { notificationRoutes }: Pick<Metadata, 'notificationRoutes'>,
  { routes, version, updatedAt, updatedBy }: RouteTableUpdate,
): Promise<void> {
  const next = (present: number): Omit<StoredRoutes, 'id'> => {
    if (version !== undefined && version !== present)
      throw httpError('version-conflict', { present: `the table has version ${present}, not ${version}` });
    return { routes: [...routes], version: present + 1, updatedAt, updatedBy };
  };
  const update = async (): Promise<boolean> => {
    const stored = await notificationRoutes.find('unique_key', tableKey);
    if (stored === undefined) return false;
    await notificationRoutes.update(stored.id, (present) => ({ ...next(present.version), id: present.id }));
    return true;
  };
  if (await update()) return;
  try {
    await notificationRoutes.create(next(0));
  } catch (error) {
    // Another request has created it at the same time.
    if (!(error instanceof HttpError) || error.code !== 'already-exists') throw error;
    await update();
  }
}

/** There is one table. */
const tableKey = 'routes';

/** Removes a notifier from all routes. */
export async function removeFromRoutes(
  { notificationRoutes }: Pick<Metadata, 'notificationRoutes'>,
  notifierId: string,
): Promise<void> {
  const names = ({ notifierIds, escalation }: NotificationRoute): boolean =>
    notifierIds.includes(notifierId) || escalation?.notifierIds.includes(notifierId) === true;
  const without = (ids: readonly string[]): string[] => ids.filter((each) => each !== notifierId);
  for (const { id, routes } of await notificationRoutes.list())
    if (routes.some(names))
      await notificationRoutes.update(id, (present) => ({
        ...present,
        version: present.version + 1,
        routes: present.routes.map((route) => ({
          ...route,
          notifierIds: without(route.notifierIds),
          ...(route.escalation !== undefined && {
            escalation: { ...route.escalation, notifierIds: without(route.escalation.notifierIds) },
          }),
        })),
      }));
}
