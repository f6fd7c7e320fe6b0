import { isDeepStrictEqual } from 'node:util';
import { userIdOf } from '@millrace/http/access/identity';
import { toStoredProperties, toShownNotifier } from '@millrace/alerts/notifier';
import { removeFromSlos } from '@millrace/alerts/slo/remove-from-slos';
import { removeFromRoutes } from '@millrace/alerts/routing/route-table';
import { json, route, type Route } from '@millrace/http/route';
import { IdParameter } from '@millrace/api/schemas/parts';
import { timestamp } from '@millrace/metadata/clock';
import {
  Notifier,
  NotifierPreview,
  NotifierTest,
  PreviewNotifier,
  TestNotifier,
  WriteNotifier,
} from '@millrace/api/schemas/notifier';
import { Type } from 'typebox';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';
import { monitorRights } from '@millrace/alerts/monitor-rights';

const exampleId = 'notify_5f2b7c1e9a4d3b6c8e0f1a2b';
const example = { name: 'On call', properties: { slack: { slackUrl: 'https://hooks.example.com/services/T0/B0/x' } } };

/** Users who may write notifiers see their destinations. */
const writePermission = { scope: 'org', resource: 'notifiers', action: 'update' } as const;

/** A notifier that does not exist yet. */
const unsavedNotifier = { id: '', createdAt: '', createdBy: '', updatedAt: '' };

export const notifierRoutes = (deps: Deps): readonly Route[] => [
  ...notifierCollection(deps),
  route({
    method: 'POST',
    path: '/v2/notifiers/{id}/test',
    operation: 'testNotifier',
    tag: 'Notifiers',
    summary: 'Send a test notification',
    description: 'Sends immediately, even if muted, without retries.',
    need: { scope: 'org', resource: 'notifiers', action: 'update' },
    request: { params: IdParameter },
    responses: { 200: { description: 'The request and the response.', schema: NotifierTest } },
    errors: ['not-found'],
    examples: [{ summary: 'Test', params: { id: exampleId } }],
    handle: async ({ params }) => json(await deps.alerts.test(await deps.metadata.notifiers.get(params.id))),
  }),
  route({
    method: 'POST',
    path: '/v2/notifiers/_test',
    operation: 'testNewNotifier',
    tag: 'Notifiers',
    summary: 'Send a test notification to a new notifier',
    description: 'Before the notifier is created. Sends immediately, without retries; stores nothing.',
    need: { scope: 'org', resource: 'notifiers', action: 'create' },
    request: { body: TestNotifier },
    responses: { 200: { description: 'The request and the response.', schema: NotifierTest } },
    examples: [{ summary: 'A channel of Slack', body: { notifier: example } }],
    handle: async ({ body: { notifier } }) => json(await deps.alerts.test({ ...notifier, ...unsavedNotifier })),
  }),
  route({
    method: 'POST',
    path: '/v2/notifiers/_preview',
    operation: 'previewNotifier',
    changesNothing: true,
    tag: 'Notifiers',
    summary: 'Preview notifications',
    description:
      'Renders notifications for a firing monitor, a resolved monitor and a matching event. Stores and sends nothing.',
    need: { scope: 'org', resource: 'notifiers', action: 'create' },
    request: { body: PreviewNotifier },
    responses: { 200: { description: 'One per event.', schema: Type.Array(NotifierPreview) } },
    errors: ['not-found'],
    examples: [{ summary: 'A channel of Slack', body: { notifier: example } }],
    handle: async ({ body: { notifier, id } }) => {
      const present = id === undefined ? undefined : await deps.metadata.notifiers.get(id);
      return json(deps.alerts.previewNotifier({ ...notifier, properties: toStoredProperties(notifier, present) }));
    },
  }),
];

const notifierCollection = ({ metadata, clock }: Deps): readonly Route[] => {
  const { monitors, notifiers } = metadata;
  const rights = monitorRights(metadata);
  return collectionRoutes({
    tag: 'Notifiers',
    path: '/v2/notifiers',
    operations: { one: 'Notifier', many: 'Notifiers' },
    nouns: { one: 'notifier', many: 'notifiers' },
    schema: Notifier,
    need: (action) => ({ scope: 'org', resource: 'notifiers', action }),
    id: exampleId,
    list: {
      found: 'All notifiers, oldest first.',
      example: { summary: 'All notifiers' },
      handle: async ({ may }) => {
        const isWriter = may(writePermission);
        return (await notifiers.list()).map((notifier) => toShownNotifier(notifier, isWriter));
      },
    },
    create: {
      body: WriteNotifier,
      example: { summary: 'A channel of Slack', body: example },
      handle: async ({ body, principal }) => {
        const now = timestamp(clock);
        const made = await notifiers.create({
          ...body,
          properties: toStoredProperties(body),
          createdAt: now,
          createdBy: userIdOf(principal),
          updatedAt: now,
        });
        return toShownNotifier(made, true);
      },
    },
    get: { handle: async ({ params, may }) => toShownNotifier(await notifiers.get(params.id), may(writePermission)) },
    update: {
      description:
        'Omitted properties are removed. Empty secrets keep their stored value. A new destination needs query rights on what the monitors of the notifier read.',
      body: WriteNotifier,
      example: { summary: 'Silent until Monday', body: { ...example, disabledUntil: '2026-11-23T08:00:00Z' } },
      handle: async ({ params, body, may }) => {
        const before = await notifiers.get(params.id);
        if (!isDeepStrictEqual(toStoredProperties(body, before), before.properties))
          await rights.requireRedirect(params.id, { may });
        const replaced = await notifiers.update(params.id, (present) => ({
          ...body,
          id: params.id,
          properties: toStoredProperties(body, present),
          createdAt: present.createdAt,
          createdBy: present.createdBy,
          updatedAt: timestamp(clock),
        }));
        return toShownNotifier(replaced, true);
      },
    },
    delete: {
      description: 'Removes it from all monitors, SLOs and routes.',
      handle: async ({ params: { id } }) => {
        await notifiers.get(id);
        // First, because a monitor with a deleted notifier could not be written back as it was
        // read.
        for (const monitor of await monitors.list())
          if (monitor.notifierIds.includes(id))
            await monitors.update(monitor.id, (present) => ({
              ...present,
              notifierIds: present.notifierIds.filter((other) => other !== id),
            }));
        await removeFromRoutes(metadata, id);
        await removeFromSlos(metadata, id);
        await notifiers.delete(id);
      },
    },
  });
};
