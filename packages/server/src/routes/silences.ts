import { userIdOf } from '@millrace/http/access/identity';
import { shownSilence, silenceDraft } from '@millrace/alerts/silences/silence';
import type { Route } from '@millrace/http/route';
import { timestamp } from '@millrace/metadata/clock';
import { ShownSilence, WriteSilence } from '@millrace/api/schemas/silence';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';

const example = {
  reason: 'Database upgrade',
  labels: { team: 'payments' },
  startTime: '2026-11-21T22:00:00Z',
  endTime: '2026-11-22T00:00:00Z',
};

/** Silences stop notifications of monitors, so they need the same right as a mute. */
export const silenceRoutes = ({ metadata: { silences }, clock }: Deps): readonly Route[] =>
  collectionRoutes({
    tag: 'Silences',
    path: '/v2/silences',
    operations: { one: 'Silence', many: 'Silences' },
    nouns: { one: 'silence', many: 'silences' },
    schema: ShownSilence,
    need: (action) => ({ scope: 'org', resource: 'monitors', action: action === 'read' ? 'read' : 'update' }),
    id: 'silence_5f2b7c1e9a4d3b6c8e0f1a2b',
    list: {
      found: 'All silences, oldest first.',
      example: { summary: 'All silences' },
      handle: async () => (await silences.list()).map((silence) => shownSilence(silence, clock())),
    },
    create: {
      description:
        'Takes effect with the next run of each monitor: open incidents are closed at receivers, monitors keep running, and incidents still open at the end are sent again. With `repeat` it is a maintenance window.',
      body: WriteSilence,
      example: { summary: 'Once', body: example },
      handle: async ({ body, principal }) => {
        const now = timestamp(clock);
        const made = await silences.create({
          ...silenceDraft(body, now),
          createdAt: now,
          createdBy: userIdOf(principal),
          updatedAt: now,
        });
        return shownSilence(made, clock());
      },
    },
    get: { handle: async ({ params }) => shownSilence(await silences.get(params.id), clock()) },
    update: {
      description: 'Omitted properties are removed; without `startTime` the silence starts now.',
      body: WriteSilence,
      example: {
        summary: 'Every Saturday night',
        body: {
          reason: 'Backups',
          groups: { host: 'db-1' },
          repeat: { cron: '0 22 * * sat', timeZone: 'Europe/Berlin', durationMinutes: 120 },
        },
      },
      handle: async ({ params, body }) => {
        const now = timestamp(clock);
        const draft = silenceDraft(body, now);
        const replaced = await silences.update(params.id, ({ id, createdAt, createdBy }) => ({
          ...draft,
          id,
          createdAt,
          createdBy,
          updatedAt: now,
        }));
        return shownSilence(replaced, clock());
      },
    },
    delete: {
      description: 'Incidents that are still open are sent with the next run of each monitor.',
      handle: ({ params }) => silences.delete(params.id),
    },
  });
