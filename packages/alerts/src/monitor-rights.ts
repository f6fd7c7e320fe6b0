import { needsOfMonitor } from './derived-rights.js';
import { httpError } from '@millrace/api/errors';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { describePermission, type RequiredPermission } from '@millrace/http/access/authorize';
import { everyNotifierFor } from './routing/matching-routes.js';
import { storedRoutes } from './routing/route-table.js';
import type { RequestContext } from '@millrace/http/route';
import type { Metadata } from '@millrace/metadata/metadata';
import { Yielder } from '@millrace/runtime/async/yield';

/**
 * Rights on data that monitors derive from events: runs, history, open groups and notifications.
 */
export function monitorRights(metadata: Pick<Metadata, 'monitors' | 'datasets' | 'views' | 'notificationRoutes'>) {
  const { monitors, datasets, views } = metadata;
  const needs = async (): Promise<(monitor: StoredMonitor) => readonly RequiredPermission[]> => {
    const viewNames = new Set((await views.list()).map(({ name }) => name));
    const isKnown = (name: string): boolean => viewNames.has(name) || datasets.find(name) !== undefined;
    return (monitor) => needsOfMonitor(monitor, isKnown);
  };
  /**
   * Rejects sending values of the events of some monitors to a notifier, if the caller may not
   * query them.
   * @throws HttpError `forbidden`
   */
  const requireAll = async (
    { may }: Pick<RequestContext, 'may'>,
    isSent: (monitor: StoredMonitor) => boolean,
  ): Promise<void> => {
    const needsOf = await needs();
    for (const monitor of await monitors.list()) {
      if (!isSent(monitor)) continue;
      const missing = needsOf(monitor).find((need) => !may(need));
      if (missing !== undefined)
        throw httpError('forbidden', {
          need: `${describePermission(missing)}, which monitor '${monitor.id}' reads and sends to this notifier`,
        });
    }
  };
  return {
    requireAll,

    /** @throws HttpError `not-found`, `forbidden` */
    require: async (id: string, { require }: Pick<RequestContext, 'require'>): Promise<void> => {
      const monitor = await monitors.get(id);
      for (const need of (await needs())(monitor)) require(need);
    },

    /** IDs of the monitors whose data the caller may query. */
    readable: async ({ may }: Pick<RequestContext, 'may'>): Promise<ReadonlySet<string>> => {
      const needsOf = await needs();
      const yielder = new Yielder();
      const ids = new Set<string>();
      for (const monitor of await monitors.list()) {
        if (needsOf(monitor).every(may)) ids.add(monitor.id);
        await yielder.maybeYield();
      }
      return ids;
    },

    /**
     * Rejects redirecting a notifier that receives event values which the caller may not query.
     * @throws HttpError `forbidden`
     */
    requireRedirect: async (notifierId: string, { may }: Pick<RequestContext, 'may'>): Promise<void> => {
      const routes = await storedRoutes(metadata);
      await requireAll({ may }, (monitor) => everyNotifierFor(monitor, routes).includes(notifierId));
    },
  };
}
