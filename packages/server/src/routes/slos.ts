import { Slo, SloBudget, WriteSlo } from '@millrace/api/schemas/slo';
import { shownSlo } from '@millrace/alerts/slo/slos';
import { json, route, type Route } from '@millrace/http/route';
import { IdParameter } from '@millrace/api/schemas/parts';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';

const tag = 'SLOs';
const path = '/v2/slos';
const id = 'slo_5f2b7c1e9a4d3b6c8e0f1a2b';
const example = {
  name: 'Payments succeed',
  aplQuery: "['http-logs'] | where path == '/pay'",
  good: 'status < 500',
  objective: 99.9,
  windowDays: 30,
};
const queryErrors = ['invalid-query', 'query-dataset-not-found'] as const;

/** Objectives have the rights of monitors, which their alerts are. */
export const sloRoutes = ({ metadata: { slos }, alerts }: Deps): readonly Route[] => [
  ...collectionRoutes({
    tag,
    path,
    operations: { one: 'Slo', many: 'Slos' },
    nouns: { one: 'SLO', many: 'SLOs' },
    schema: Slo,
    need: (action) => ({ scope: 'org', resource: 'monitors', action }),
    id,
    list: {
      found: 'All SLOs, oldest first.',
      example: { summary: 'All SLOs' },
      handle: async () => (await slos.list()).map(shownSlo),
    },
    create: {
      description:
        'Each alert becomes a monitor with `sloId`. It runs with the current read rights of the user who writes the SLO, and changes only with the SLO, except for its mute.',
      body: WriteSlo,
      errors: queryErrors,
      example: { summary: '99.9% of payments', body: example },
      handle: async ({ body, principal }) => alerts.slos.create(body, principal),
    },
    get: { handle: async ({ params }) => shownSlo(await slos.get(params.id)) },
    update: {
      description: 'Omitted properties get defaults. Monitors of changed alerts resolve what is open.',
      body: WriteSlo,
      errors: queryErrors,
      example: { summary: 'Another objective', body: { ...example, objective: 99.5 } },
      handle: async ({ params, body, principal }) => alerts.slos.update(params.id, body, principal),
    },
    delete: {
      description: 'Deletes its monitors too. Open incidents are resolved at their receivers.',
      handle: ({ params }) => alerts.slos.delete(params.id),
    },
  }),
  route({
    method: 'GET',
    path: `${path}/{id}/budget`,
    operation: 'getSloBudget',
    tag,
    summary: 'Get the error budget of an SLO',
    description:
      'Of the window that ends now, counted at most once a minute (`MILLRACE_SLO_BUDGET_AGE`). Counts with your query rights.',
    need: { scope: 'org', resource: 'monitors', action: 'read' },
    request: { params: IdParameter },
    responses: { 200: { description: 'The budget.', schema: SloBudget } },
    errors: ['not-found', ...queryErrors],
    examples: [{ summary: 'Of one SLO', params: { id } }],
    handle: async ({ params, principal }) => json(await alerts.sloBudgets.get(params.id, principal)),
  }),
];
