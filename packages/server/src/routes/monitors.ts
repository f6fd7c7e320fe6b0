import { userIdOf } from '../access/identity.js';
import { draftOf, shownMonitor } from '../alerts/monitor.js';
import { deliveriesOf, recentOf } from '../alerts/state/looks.js';
import { runColumnsOf } from '../alerts/state/run-columns.js';
import { changesOf, runsOf } from '../alerts/state/records.js';
import { shownRun } from '../alerts/state/status.js';
import { json, route, type Route } from '../http/route.js';
import { timestamp } from '../metadata/clock.js';
import {
  HistoryOfMonitors,
  HistoryRange,
  Monitor,
  MonitorChange,
  MonitorPreview,
  MonitorRunColumns,
  MonitorRunWithDeliveries,
  MonitorStatus,
  PreviewMonitor,
  RecentRange,
  RecentRuns,
  ServerHealth,
  WriteMonitor,
} from '../schemas/monitor.js';
import { IdParameter } from '../schemas/parts.js';
import { Type } from 'typebox';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';

const tag = 'Monitors';
const id = 'mon_5f2b7c1e9a4d3b6c8e0f1a2b';
const example = {
  name: 'Failed requests',
  type: 'Threshold',
  aplQuery: "['http-logs'] | where status >= 500 | summarize count() by bin(_time, 1m)",
  operator: 'Above',
  threshold: 100,
  intervalMinutes: 1,
  rangeMinutes: 5,
};
const queryErrors = ['invalid-query', 'query-dataset-not-found'] as const;

export function monitorRoutes({ metadata, alerts, clock }: Deps): readonly Route[] {
  const { monitors } = metadata;
  return [
    ...collectionRoutes({
      tag,
      path: '/v2/monitors',
      operations: { one: 'Monitor', many: 'Monitors' },
      nouns: { one: 'monitor', many: 'monitors' },
      schema: Monitor,
      need: (action) => ({ scope: 'org', resource: 'monitors', action }),
      id,
      list: {
        found: 'All monitors, oldest first.',
        example: { summary: 'All monitors' },
        handle: async () => (await monitors.list()).map(shownMonitor),
      },
      create: {
        description: 'It may read what its writer may read now, and runs whatever becomes of their token.',
        body: WriteMonitor,
        errors: queryErrors,
        example: { summary: 'More than 100 failed requests in a minute', body: example },
        handle: async ({ body, principal }) => {
          const draft = draftOf(body);
          await alerts.requireRoom();
          const checked = await alerts.check(draft, principal);
          const now = timestamp(clock);
          const createdBy = userIdOf(principal);
          return shownMonitor(
            await monitors.create({ ...draft, createdAt: now, createdBy, updatedAt: now, ...checked }),
          );
        },
      },
      get: { handle: async ({ params }) => shownMonitor(await monitors.get(params.id)) },
      update: {
        description:
          'What is left out has its default. Another query, type, operator, threshold or column begins anew: what was open is closed, and nobody is told.',
        body: WriteMonitor,
        errors: queryErrors,
        example: { summary: 'Another threshold', body: { ...example, threshold: 200 } },
        handle: async ({ params, body, principal }) => {
          const draft = draftOf(body, await monitors.get(params.id));
          const checked = await alerts.check(draft, principal);
          const replaced = await monitors.update(params.id, ({ createdAt, createdBy }) => ({
            ...draft,
            id: params.id,
            createdAt,
            createdBy,
            updatedAt: timestamp(clock),
            ...checked,
          }));
          return shownMonitor(replaced);
        },
      },
      delete: {
        description: 'With its history. Nobody is told that what was open is over.',
        handle: ({ params }) => monitors.delete(params.id),
      },
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/{id}/history',
      operation: 'getMonitorHistory',
      tag,
      summary: 'When a monitor opened and closed',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: { params: IdParameter, query: HistoryRange },
      responses: { 200: { description: 'Oldest first.', schema: Type.Array(MonitorChange) } },
      errors: ['not-found'],
      examples: [
        {
          summary: 'One day',
          params: { id },
          query: { startTime: '2026-11-20T00:00:00Z', endTime: '2026-11-21T00:00:00Z' },
        },
      ],
      handle: async ({ params, query: { startTime, endTime } }) => {
        await monitors.get(params.id);
        const range = { from: Date.parse(startTime), to: Date.parse(endTime) };
        return json(await changesOf(params.id, range, metadata.database));
      },
    }),
    route({
      method: 'GET',
      path: '/api/internal/monitors/history',
      operation: 'listMonitorHistory',
      tag,
      summary: 'The last runs of several monitors, in columns',
      description:
        'What Axiom’s MCP server shows of monitors. For each monitor a list of columns, in the order of `fields`, the newest run first. A monitor that is not there has no runs.',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: { query: HistoryOfMonitors },
      responses: { 200: { description: 'By the ids that were asked for.', schema: MonitorRunColumns } },
      examples: [{ summary: 'Of one monitor', query: { monitorIds: id } }],
      handle: async ({ query }) => json(await runColumnsOf(query, clock(), metadata.database)),
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/{id}/runs',
      operation: 'listMonitorRuns',
      tag,
      summary: 'The last runs of a monitor',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: { params: IdParameter },
      responses: { 200: { description: 'Newest first.', schema: Type.Array(MonitorRunWithDeliveries) } },
      errors: ['not-found'],
      examples: [{ summary: 'Of one monitor', params: { id } }],
      handle: async ({ params }) => {
        await monitors.get(params.id);
        const runs = await runsOf(params.id, metadata.database);
        const deliveries = await deliveriesOf(params.id, runs.at(-1)?.time ?? 0, metadata.database);
        return json(runs.map((run) => ({ ...shownRun(run), deliveries: deliveries.get(run.time) ?? [] })));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/monitors/_preview',
      operation: 'previewMonitor',
      tag,
      summary: 'What a monitor would have told',
      description:
        'Makes the runs of the past that it would have made, each over what had arrived by its time. Keeps and sends nothing. Monitors of matching events have no preview: run their query.',
      need: { scope: 'org', resource: 'monitors', action: 'create' },
      request: { body: PreviewMonitor },
      responses: { 200: { description: 'Its runs, oldest first.', schema: MonitorPreview } },
      errors: queryErrors,
      examples: [{ summary: 'Over the last day', body: { monitor: example } }],
      handle: async ({ body: { monitor, startTime, endTime }, principal, abort }) => {
        const to = endTime === undefined ? clock() : Date.parse(endTime);
        const from = startTime === undefined ? to - 86_400_000 : Date.parse(startTime);
        return json(await alerts.preview(draftOf(monitor), { from, to }, principal, abort.signal));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/_status',
      operation: 'listMonitorStatus',
      tag,
      summary: 'How all monitors stand',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: {},
      responses: { 200: { description: 'In the order of their list.', schema: Type.Array(MonitorStatus) } },
      examples: [{ summary: 'All of them' }],
      handle: async () => json(await alerts.status()),
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/_health',
      operation: 'getServerHealth',
      tag,
      summary: 'How the server itself stands',
      description:
        'A monitor that is always there and needs no query. It opens when events are refused, the disk is nearly full, or the engine is down or behind, and tells the notifiers that MILLRACE_HEALTH_NOTIFIERS names.',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: {},
      responses: { 200: { description: 'Its state and its last runs.', schema: ServerHealth } },
      examples: [{ summary: 'Now' }],
      handle: async () => json(await alerts.ownHealth()),
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/_runs',
      operation: 'listRecentRuns',
      tag,
      summary: 'The last runs of all monitors',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: { query: RecentRange },
      responses: {
        200: {
          description: 'Monitors that have made a run, with what they opened or closed last.',
          schema: Type.Array(RecentRuns),
        },
      },
      examples: [{ summary: 'Thirty of each', query: { last: '30' } }],
      handle: async ({ query: { last = 30 } }) => json(await recentOf(last, metadata.database)),
    }),
  ];
}
