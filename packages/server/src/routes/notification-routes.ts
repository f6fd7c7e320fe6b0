import { httpError } from '@millrace/api/errors';
import {
  type NotificationRoute,
  NotificationRoutes,
  RoutesTest,
  TestNotificationRoutes,
  WriteNotificationRoutes,
} from '@millrace/api/schemas/notification-route';
import { monitorRights } from '@millrace/alerts/monitor-rights';
import { everyNotifierFor, matchingRoutes, notifiersFor } from '@millrace/alerts/routing/matching-routes';
import { replaceRoutes, shownRoutes, storedRoutes } from '@millrace/alerts/routing/route-table';
import { userIdOf } from '@millrace/http/access/identity';
import { json, route, type Route } from '@millrace/http/route';
import { timestamp } from '@millrace/metadata/clock';
import type { Deps } from './deps.js';

const tag = 'Notification routes';
const path = '/v2/notification-routes';
const example = {
  routes: [
    {
      name: 'Pages',
      labels: { team: 'payments' },
      severities: ['critical'],
      notifierIds: ['notify_5f2b7c1e9a4d3b6c8e0f1a2b'],
    },
  ],
};

/** The table of routes has the rights of notifiers. */
export function notificationRouteRoutes({ metadata, clock }: Deps): readonly Route[] {
  const rights = monitorRights(metadata);
  const requireNotifiers = async (routes: readonly NotificationRoute[]): Promise<void> => {
    const known = new Set((await metadata.notifiers.list()).map(({ id }) => id));
    const wrong = routes.flatMap(({ name, notifierIds, escalation }) =>
      [...notifierIds, ...(escalation?.notifierIds ?? [])].map((id) => ({ name, id })),
    );
    const unknown = wrong.find(({ id }) => !known.has(id));
    if (unknown !== undefined)
      throw httpError('invalid-request', {
        problem: `body 'routes': '${unknown.name}' names '${unknown.id}', which is no notifier; list notifiers with GET /v2/notifiers`,
      });
  };
  return [
    route({
      method: 'GET',
      path,
      operation: 'getNotificationRoutes',
      tag,
      summary: 'Get the table of routes',
      need: { scope: 'org', resource: 'notifiers', action: 'read' },
      request: {},
      responses: { 200: { description: 'All routes, in order.', schema: NotificationRoutes } },
      examples: [{ summary: 'All' }],
      handle: async () => json(await shownRoutes(metadata)),
    }),
    route({
      method: 'PUT',
      path,
      operation: 'replaceNotificationRoutes',
      tag,
      summary: 'Replace the table of routes',
      description:
        'Takes effect with the next run of each monitor: removed notifiers close their open incidents, new ones get all open groups. Telling a notifier about more monitors needs query rights on what these read.',
      need: { scope: 'org', resource: 'notifiers', action: 'update' },
      request: { body: WriteNotificationRoutes },
      responses: { 200: { description: 'The new table.', schema: NotificationRoutes } },
      errors: ['version-conflict'],
      examples: [{ summary: 'Critical monitors of a team', body: example }],
      handle: async ({ body: { routes, version }, principal, may }) => {
        await requireNotifiers(routes);
        const before = await storedRoutes(metadata);
        await rights.requireAll({ may }, (monitor) => {
          const notified = new Set(everyNotifierFor(monitor, before));
          return everyNotifierFor(monitor, routes).some((id) => !notified.has(id));
        });
        await replaceRoutes(metadata, {
          routes,
          version,
          updatedAt: timestamp(clock),
          updatedBy: userIdOf(principal),
        });
        return json(await shownRoutes(metadata));
      },
    }),
    route({
      method: 'POST',
      path: `${path}/test`,
      operation: 'testNotificationRoutes',
      tag,
      summary: 'List who would be notified',
      description: 'Looks up the notifiers of a monitor, or of one with these labels and severity. Sends nothing.',
      need: { scope: 'org', resource: 'notifiers', action: 'read' },
      request: { body: TestNotificationRoutes },
      responses: { 200: { description: 'The notifiers, and why.', schema: RoutesTest } },
      errors: ['not-found'],
      examples: [{ summary: 'By labels', body: { labels: { team: 'payments' }, severity: 'critical' } }],
      handle: async ({ body: { monitorId, labels, severity, routes }, require }) => {
        if (monitorId !== undefined) require({ scope: 'org', resource: 'monitors', action: 'read' });
        const monitor =
          monitorId === undefined
            ? {
                id: '',
                notifierIds: [],
                ...(labels !== undefined && { labels }),
                ...(severity !== undefined && { severity }),
              }
            : await metadata.monitors.get(monitorId);
        const table = routes ?? (await storedRoutes(metadata));
        return json({
          notifierIds: notifiersFor(monitor, table),
          own: monitor.notifierIds,
          routes: matchingRoutes(monitor, table).map(({ index, route: { name, notifierIds, escalation } }) => ({
            index,
            name,
            notifierIds,
            ...(escalation !== undefined && { escalation }),
          })),
        });
      },
    }),
  ];
}
