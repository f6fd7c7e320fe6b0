import { isDeepStrictEqual } from 'node:util';
import { forgetInhibitions } from '@millrace/alerts/routing/inhibition';
import type { GroupState } from '@millrace/alerts/state/state';
import { userIdOf } from '@millrace/http/access/identity';
import { httpError } from '@millrace/api/errors';
import { draftOf, type MonitorDraft, toApiMonitor } from '@millrace/alerts/monitor';
import { deliveriesOf, recentOf } from '@millrace/alerts/state/queries';
import { runColumnsOf } from '@millrace/alerts/state/run-columns';
import { incidentAt, incidentsIn } from '@millrace/alerts/state/incidents';
import { changesOf, runsOf } from '@millrace/alerts/state/records';
import { toApiRun } from '@millrace/alerts/state/status';
import { json, route, type Route } from '@millrace/http/route';
import { timestamp } from '@millrace/metadata/clock';
import {
  AcknowledgedGroups,
  AcknowledgeMonitor,
  HistoryOfMonitors,
  HistoryRange,
  Monitor,
  MonitorChange,
  MonitorRunColumns,
  MonitorRunWithDeliveries,
  MonitorStatus,
  RecentRange,
  RecentRuns,
  ServerHealth,
  type StoredMonitor,
  WriteMonitor,
} from '@millrace/api/schemas/monitor';
import { MonitorPreview, PreviewMonitor } from '@millrace/api/schemas/monitor-preview';
import { Incident, IncidentParameters, IncidentRange, IncidentSummary } from '@millrace/api/schemas/incident';
import { IdParameter, includeParameter } from '@millrace/api/schemas/parts';
import { Type } from 'typebox';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';
import { monitorRights } from '@millrace/alerts/monitor-rights';

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
/** Whose answers are like those of the service, which has MPL in `aplQuery`. */
const IncludeQuery = includeParameter('mplQuery', 'is the query of a monitor over metrics, whose `aplQuery` is empty.');
const queryErrors = ['invalid-query', 'query-dataset-not-found'] as const;

/** Why a monitor is off whose writer was removed, and the remedy. */
const orphanMessage = 'disabled because the user who wrote it was removed; save it to run it with your rights';

/** Monitors of an SLO change with it; only their mute is their own. */
function requireUnchanged(present: StoredMonitor, draft: MonitorDraft): void {
  if (present.sloId === undefined) return;
  if (!isDeepStrictEqual(withoutMute(draft), withoutMute(draftOf(toApiMonitor(present))))) throw ofSlo(present.sloId);
}

function withoutMute(draft: MonitorDraft): Omit<MonitorDraft, 'disabled' | 'disabledUntil'> {
  const { disabled: _, disabledUntil: _until, ...rest } = draft;
  return rest;
}

const ofSlo = (sloId: string) =>
  httpError('invalid-request', {
    problem: `the monitor belongs to the SLO '${sloId}'; change it with PUT /v2/slos/${sloId}`,
  });

export function monitorRoutes({ metadata, alerts, clock }: Deps): readonly Route[] {
  const { monitors } = metadata;
  const rights = monitorRights(metadata);
  return [
    ...collectionRoutes({
      tag,
      path: '/v2/monitors',
      operations: { one: 'Monitor', many: 'Monitors' },
      nouns: { one: 'monitor', many: 'monitors' },
      schema: Monitor,
      need: (action) => ({ scope: 'org', resource: 'monitors', action }),
      id,
      include: IncludeQuery,
      list: {
        query: IncludeQuery,
        found: 'All monitors, oldest first.',
        example: { summary: 'All monitors' },
        handle: async ({ query }) => (await monitors.list()).map((each) => toApiMonitor(each, query.include)),
      },
      create: {
        description:
          'A monitor has the current read rights of the user who writes it, and runs without that user’s token. If the user is removed, it is disabled until another user writes it.',
        body: WriteMonitor,
        errors: queryErrors,
        example: { summary: 'More than 100 failed requests in a minute', body: example },
        handle: async ({ query, body, principal }) => {
          const draft = draftOf(body);
          await alerts.drafts.requireRoom();
          const checked = await alerts.drafts.check(draft, principal);
          const now = timestamp(clock);
          const createdBy = userIdOf(principal);
          return toApiMonitor(
            await monitors.create({
              ...draft,
              createdAt: now,
              createdBy,
              writtenBy: createdBy,
              updatedAt: now,
              ...checked,
            }),
            query.include,
          );
        },
      },
      get: { handle: async ({ params, query }) => toApiMonitor(await monitors.get(params.id), query.include) },
      update: {
        description:
          'Omitted properties get defaults. Changing query, type, operator, threshold or column resets the state: open groups are resolved, also at receivers.',
        body: WriteMonitor,
        errors: queryErrors,
        example: { summary: 'Another threshold', body: { ...example, threshold: 200 } },
        handle: async ({ params, query, body, principal }) => {
          const draft = draftOf(body);
          await monitors.get(params.id);
          const checked = await alerts.drafts.check(draft, principal, params.id);
          const replaced = await monitors.update(params.id, (present) => {
            // The SLO may have changed during the check.
            requireUnchanged(present, draft);
            const { createdAt, createdBy, sloId } = present;
            return {
              ...draft,
              id: params.id,
              createdAt,
              createdBy,
              ...(sloId !== undefined && { sloId }),
              writtenBy: userIdOf(principal),
              updatedAt: timestamp(clock),
              ...checked,
            };
          });
          return toApiMonitor(replaced, query.include);
        },
      },
      delete: {
        description: 'Deletes its history too. Open incidents are resolved at their receivers.',
        handle: async ({ params: { id: deleted } }) => {
          const { sloId } = await monitors.get(deleted);
          if (sloId !== undefined) throw ofSlo(sloId);
          // First, because a monitor with a deleted one could not be written back as it was read.
          await forgetInhibitions(deleted, monitors);
          await monitors.delete(deleted);
        },
      },
    }),
    route({
      method: 'POST',
      path: '/v2/monitors/{id}/acknowledge',
      operation: 'acknowledgeMonitor',
      tag,
      summary: 'Acknowledge open groups',
      description: 'They are neither notified again nor escalated until they close. Closings are sent.',
      need: { scope: 'org', resource: 'monitors', action: 'update' },
      request: { params: IdParameter, body: AcknowledgeMonitor },
      responses: { 200: { description: 'The acknowledged groups.', schema: AcknowledgedGroups } },
      errors: ['not-found'],
      examples: [{ summary: 'All that are open', params: { id }, body: {} }],
      handle: async ({ params, body: { values }, principal, require }) => {
        await rights.require(params.id, { require });
        const isMeant = ({ labels }: GroupState): boolean => values === undefined || isDeepStrictEqual(labels, values);
        return json({ groups: await alerts.states.acknowledge(params.id, isMeant, { by: userIdOf(principal) }) });
      },
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/{id}/history',
      operation: 'getMonitorHistory',
      tag,
      summary: 'List state changes of a monitor',
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
      handle: async ({ params, query: { startTime, endTime }, require }) => {
        await rights.require(params.id, { require });
        const range = { from: Date.parse(startTime), to: Date.parse(endTime) };
        return json(await changesOf(params.id, range, metadata.database));
      },
    }),
    route({
      method: 'GET',
      path: '/api/internal/monitors/history',
      operation: 'listMonitorHistory',
      tag,
      summary: 'List runs of several monitors, by column',
      description:
        'Used by Axiom’s MCP server. For each monitor a list of columns, in the order of `fields`, newest run first. Monitors that do not exist or read datasets that you may not query have no runs.',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: { query: HistoryOfMonitors },
      responses: { 200: { description: 'Runs by monitor ID.', schema: MonitorRunColumns } },
      examples: [{ summary: 'Of one monitor', query: { monitorIds: id } }],
      handle: async ({ query, may }) => {
        const ids = await rights.readable({ may });
        return json(await runColumnsOf(query, clock(), ids, metadata.database));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/{id}/runs',
      operation: 'listMonitorRuns',
      tag,
      summary: 'List runs of a monitor',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: { params: IdParameter },
      responses: { 200: { description: 'Newest first.', schema: Type.Array(MonitorRunWithDeliveries) } },
      errors: ['not-found'],
      examples: [{ summary: 'Of one monitor', params: { id } }],
      handle: async ({ params, require }) => {
        await rights.require(params.id, { require });
        const runs = await runsOf(params.id, metadata.database);
        const deliveries = await deliveriesOf(params.id, runs.at(-1)?.time ?? 0, metadata.database);
        return json(runs.map((run) => ({ ...toApiRun(run), deliveries: deliveries.get(run.time) ?? [] })));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/_incidents',
      operation: 'listIncidents',
      tag,
      summary: 'List incidents',
      description:
        'From the opening of a monitor or group to its closing, newest first. Only of monitors whose datasets you may query.',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: { query: IncidentRange },
      responses: { 200: { description: 'Newest first.', schema: Type.Array(IncidentSummary) } },
      examples: [{ summary: 'Since a day', query: { startTime: '2026-11-20T00:00:00Z' } }],
      handle: async ({ query, may }) =>
        json(await incidentsIn(query, clock(), await rights.readable({ may }), metadata.database)),
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/{id}/incidents/{incident}',
      operation: 'getIncident',
      tag,
      summary: 'Get an incident',
      description:
        'What opened it, its notifications with all attempts, and other openings. `incident` is an ID of the list, or a time in milliseconds since the epoch: the incident that was open then.',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: { params: IncidentParameters },
      responses: { 200: { description: 'The incident.', schema: Incident } },
      errors: ['not-found'],
      examples: [{ summary: 'One', params: { id, incident: '1795262400000' } }],
      handle: async ({ params, require }) => {
        await rights.require(params.id, { require });
        return json(await incidentAt(await monitors.get(params.id), params.incident, metadata));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/monitors/_preview',
      operation: 'previewMonitor',
      changesNothing: true,
      tag,
      summary: 'Back-test a monitor',
      description:
        'Simulates past runs, each over the events that had arrived by its time. Stores and sends nothing. With `ignoreArrival` events count as arrived at their time; match monitors have only this back-test.',
      need: { scope: 'org', resource: 'monitors', action: 'create' },
      request: { body: PreviewMonitor },
      responses: { 200: { description: 'Its runs, oldest first.', schema: MonitorPreview } },
      errors: queryErrors,
      examples: [{ summary: 'Over the last day', body: { monitor: example } }],
      handle: async ({ body: { monitor, startTime, endTime, ignoreArrival }, principal, abort }) => {
        const to = endTime === undefined ? clock() : Date.parse(endTime);
        const draft = draftOf(monitor);
        const from = startTime === undefined ? alerts.drafts.previewStart(draft, to) : Date.parse(startTime);
        return json(
          await alerts.drafts.preview(
            draft,
            { from, to, ignoreArrival: ignoreArrival === true },
            principal,
            abort.signal,
          ),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/_status',
      operation: 'listMonitorStatus',
      tag,
      summary: 'List monitor states',
      description: '`openGroups` is empty if you may not query the datasets of the monitor.',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: {},
      responses: { 200: { description: 'In the order of the monitors.', schema: Type.Array(MonitorStatus) } },
      examples: [{ summary: 'All' }],
      handle: async ({ may }) => {
        const ids = await rights.readable({ may });
        const all = await alerts.states.status();
        const orphans = new Set((await monitors.list()).filter((one) => one.isOrphaned).map(({ id }) => id));
        return json(
          all.map((status) => ({
            ...status,
            ...(!ids.has(status.id) && { openGroups: [] }),
            ...(orphans.has(status.id) && { error: orphanMessage }),
          })),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/_health',
      operation: 'getServerHealth',
      tag,
      summary: 'Get server health',
      description:
        'Built-in monitor. Fires when ingest is rejected, the disk is nearly full, or the engine is down or lagging; notifies MILLRACE_HEALTH_NOTIFIERS.',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: {},
      responses: { 200: { description: 'State and recent runs.', schema: ServerHealth } },
      examples: [{ summary: 'Now' }],
      handle: async () => json(await alerts.states.ownHealth()),
    }),
    route({
      method: 'GET',
      path: '/v2/monitors/_runs',
      operation: 'listRecentRuns',
      tag,
      summary: 'List recent runs of all monitors',
      description: 'Only monitors whose datasets you may query.',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: { query: RecentRange },
      responses: {
        200: {
          description: 'Monitors that have run, with their last state change.',
          schema: Type.Array(RecentRuns),
        },
      },
      examples: [{ summary: 'Thirty of each', query: { last: '30' } }],
      handle: async ({ query: { last = 30 }, may }) => {
        const ids = await rights.readable({ may });
        return json((await recentOf(last, metadata.database)).filter((recent) => ids.has(recent.id)));
      },
    }),
  ];
}
