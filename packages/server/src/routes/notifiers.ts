import { userIdOf } from '../access/identity.js';
import { keptProperties, shownNotifier } from '../alerts/notifier.js';
import { json, route, type Route } from '../http/route.js';
import { IdParameter } from '../schemas/parts.js';
import { timestamp } from '../metadata/clock.js';
import { Notifier, NotifierPreview, NotifierTest, PreviewNotifier, WriteNotifier } from '../schemas/notifier.js';
import { Type } from 'typebox';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';

const exampleId = 'notify_5f2b7c1e9a4d3b6c8e0f1a2b';
const example = { name: 'On call', properties: { slack: { slackUrl: 'https://hooks.example.com/services/T0/B0/x' } } };

export const notifierRoutes = (deps: Deps): readonly Route[] => [
  ...notifierCollection(deps),
  route({
    method: 'POST',
    path: '/v2/notifiers/{id}/test',
    operation: 'testNotifier',
    tag: 'Notifiers',
    summary: 'Send a notification as a test',
    description: 'Sends at once, whether the notifier is silent or not, and tries only once.',
    need: { scope: 'org', resource: 'notifiers', action: 'update' },
    request: { params: IdParameter },
    responses: { 200: { description: 'What was sent and answered.', schema: NotifierTest } },
    errors: ['not-found'],
    examples: [{ summary: 'Test', params: { id: exampleId } }],
    handle: async ({ params }) => json(await deps.alerts.test(await deps.metadata.notifiers.get(params.id))),
  }),
  route({
    method: 'POST',
    path: '/v2/notifiers/_preview',
    operation: 'previewNotifier',
    tag: 'Notifiers',
    summary: 'What a notifier would send',
    description: 'Shows what is made of an opening, a closing and an event that matches. Keeps and sends nothing.',
    need: { scope: 'org', resource: 'notifiers', action: 'create' },
    request: { body: PreviewNotifier },
    responses: { 200: { description: 'One for each.', schema: Type.Array(NotifierPreview) } },
    errors: ['not-found'],
    examples: [{ summary: 'A channel of Slack', body: { notifier: example } }],
    handle: async ({ body: { notifier, id } }) => {
      const present = id === undefined ? undefined : await deps.metadata.notifiers.get(id);
      return json(deps.alerts.previewNotifier({ ...notifier, properties: keptProperties(notifier, present) }));
    },
  }),
];

const notifierCollection = ({ metadata: { monitors, notifiers }, clock }: Deps): readonly Route[] =>
  collectionRoutes({
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
      handle: async () => (await notifiers.list()).map(shownNotifier),
    },
    create: {
      body: WriteNotifier,
      example: { summary: 'A channel of Slack', body: example },
      handle: async ({ body, principal }) => {
        const now = timestamp(clock);
        const made = await notifiers.create({
          ...body,
          properties: keptProperties(body),
          createdAt: now,
          createdBy: userIdOf(principal),
          updatedAt: now,
        });
        return shownNotifier(made);
      },
    },
    get: { handle: async ({ params }) => shownNotifier(await notifiers.get(params.id)) },
    update: {
      description: 'What is left out is gone. Secrets that are shown as empty stay if they are sent back so.',
      body: WriteNotifier,
      example: { summary: 'Silent until Monday', body: { ...example, disabledUntil: '2026-11-23T08:00:00Z' } },
      handle: async ({ params, body }) => {
        const replaced = await notifiers.update(params.id, (present) => ({
          ...body,
          id: params.id,
          properties: keptProperties(body, present),
          createdAt: present.createdAt,
          createdBy: present.createdBy,
          updatedAt: timestamp(clock),
        }));
        return shownNotifier(replaced);
      },
    },
    delete: {
      description: 'Monitors that name it do so no longer.',
      handle: async ({ params: { id } }) => {
        await notifiers.get(id);
        // First these: a monitor that named a notifier which is gone could not be written back as
        // it was read.
        for (const monitor of await monitors.list())
          if (monitor.notifierIds.includes(id))
            await monitors.update(monitor.id, (present) => ({
              ...present,
              notifierIds: present.notifierIds.filter((other) => other !== id),
            }));
        await notifiers.delete(id);
      },
    },
  });
