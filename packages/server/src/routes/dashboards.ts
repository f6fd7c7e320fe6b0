import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { userIdOf } from '../access/identity.js';
import { type Author, contentOf, withChart } from '../dashboards/changes.js';
import { dashboardErrors } from '../dashboards/errors.js';
import { membersOf } from '../dashboards/json-text.js';
import { checkVersion } from '../dashboards/versions.js';
import { httpError } from '../errors.js';
import { listInPieces } from '../http/body/json-pieces.js';
import { type Answer, type Call, empty, type Example, json, jsonText, route, type Route } from '../http/route.js';
import type { DashboardQuota, DashboardRecord } from '../metadata/dashboards.js';
import { Dashboard, everyone, PatchChart, WriteDashboard, WrittenDashboard } from '../schemas/dashboard.js';
import { Page } from '../schemas/parts.js';
import type { Deps } from './deps.js';

const common = { tag: 'Dashboards', errorForm: dashboardErrors, mismatch: 'invalid-dashboard' } as const;
const uid = Type.String({ minLength: 1, description: 'The dashboard’s `uid`.' });
const params = { uid: 'service-overview' };

const example: Example = {
  summary: 'Errors over time',
  body: {
    dashboard: {
      name: 'Service overview',
      charts: [
        {
          id: 'errors',
          type: 'TimeSeries',
          name: 'Errors',
          query: { apl: "['http-logs'] | where status >= 500 | summarize count() by bin_auto(_time)" },
        },
      ],
      layout: [{ i: 'errors', x: 0, y: 0, w: 6, h: 4 }],
      refreshTime: 60,
      schemaVersion: 2,
      timeWindowStart: 'qr-now-1h',
      timeWindowEnd: 'qr-now',
    },
    uid: 'service-overview',
  },
};

type Way = 'create' | 'replace';

/** Dashboards. A private one is not there for other users: whoever asks for it is told 404. */
export function dashboardRoutes({ metadata: { dashboards, users }, settings }: Deps): readonly Route[] {
  const visible = ({ owner }: DashboardRecord, { principal }: Pick<Call, 'principal'>): boolean =>
    owner === everyone || owner === userIdOf(principal);

  const quota = (): DashboardQuota => ({
    records: settings.maxDashboards,
    bytes: settings.maxAllDashboardBytes,
    versionBytes: 2 * settings.maxDashboardBytes,
  });

  const shown = async (uid: string, call: Pick<Call, 'principal'>): Promise<DashboardRecord> => {
    const found = await dashboards.find(uid);
    if (found === undefined || !visible(found, call)) throw httpError('not-found', { kind: 'dashboard', name: uid });
    return found;
  };

  const authorOf = ({ principal, may }: Pick<Call, 'principal' | 'may'>): Author => ({
    userId: userIdOf(principal),
    manages: may({ scope: 'org', resource: 'users', action: 'update' }),
  });

  const write = async (
    call: Pick<Call, 'text' | 'principal' | 'may' | 'require'> & { readonly body: WriteDashboard },
    uid: string,
    way: Way,
  ): Promise<Answer> => {
    const { body } = call;
    const { dashboard, message, overwrite = false } = body;
    for (const said of [body.uid, dashboard.uid])
      if (said !== undefined && said !== uid)
        throw httpError('invalid-dashboard', {
          problem: `it has the uid '${said}', and '${uid}' elsewhere; send one of them`,
        });
    const owner = dashboard.owner ?? '';
    if (owner.startsWith('usr_')) await users.get(owner);
    const text = membersOf(call.text).get('dashboard') ?? '';
    let overwritten = false;
    const record = await dashboards.write(uid, userIdOf(call.principal), quota(), (present) => {
      if (present !== undefined && !visible(present, call))
        throw httpError('already-exists', { kind: 'dashboard', name: uid });
      call.require({ scope: 'org', resource: 'dashboards', action: present === undefined ? 'create' : 'update' });
      checkVersion(present, uid, body, way);
      overwritten = overwrite && present !== undefined;
      const author = authorOf(call);
      return contentOf(dashboard, text, { present, author, message, most: settings.maxDashboardBytes });
    });
    return written(record, overwritten);
  };

  return [
    route({
      method: 'GET',
      path: '/api/internal/integrations/dashboards',
      operation: 'listIntegrationDashboards',
      ...common,
      summary: 'List dashboards that come with integrations',
      description:
        'There are no integrations here. Axiom’s MCP server asks for these dashboards beside all others, and shows none if that fails.',
      need: { scope: 'org', resource: 'dashboards', action: 'read' },
      request: {},
      responses: { 200: { description: 'None.', schema: Type.Array(Dashboard) } },
      examples: [{ summary: 'None' }],
      handle: async () => json([]),
    }),
    route({
      method: 'GET',
      path: '/v2/dashboards',
      operation: 'listDashboards',
      ...common,
      summary: 'List dashboards',
      need: { scope: 'org', resource: 'dashboards', action: 'read' },
      request: { query: Type.Object(Page) },
      responses: { 200: { description: 'Your own and those of everyone, by name.', schema: Type.Array(Dashboard) } },
      examples: [{ summary: 'All dashboards' }],
      handle: ({ query: { limit = 100, offset = 0 }, principal }) =>
        listInPieces(dashboards.list([everyone, userIdOf(principal)], { limit, offset }), textOf),
    }),
    route({
      method: 'POST',
      path: '/v2/dashboards',
      operation: 'createDashboard',
      ...common,
      summary: 'Create a dashboard',
      description:
        'Where a dashboard with this `uid` is there already, it is replaced if `version` is its present version or `overwrite` is set; that needs `dashboards:update`.',
      need: { scope: 'org', resource: 'dashboards', action: 'create' },
      request: { body: WriteDashboard },
      responses: {
        200: { description: 'It was there, and is replaced.', schema: WrittenDashboard },
        201: { description: 'It is made.', schema: WrittenDashboard },
      },
      errors: ['invalid-dashboard', 'already-exists', 'version-conflict', 'protected-resource', 'not-found'],
      examples: [example],
      handle: (call) => write(call, call.body.uid ?? call.body.dashboard.uid ?? randomUUID(), 'create'),
    }),
    route({
      method: 'GET',
      path: '/v2/dashboards/uid/{uid}',
      operation: 'getDashboard',
      ...common,
      summary: 'Get a dashboard',
      need: { scope: 'org', resource: 'dashboards', action: 'read' },
      request: { params: Type.Object({ uid }) },
      responses: { 200: { description: 'The dashboard.', schema: Dashboard } },
      errors: ['not-found'],
      examples: [{ summary: 'One dashboard', params }],
      handle: async (call) => answerOf(await shown(call.params.uid, call)),
    }),
    route({
      method: 'PUT',
      path: '/v2/dashboards/uid/{uid}',
      operation: 'replaceDashboard',
      ...common,
      summary: 'Replace a dashboard',
      description:
        '`version` is the one that was read; if there is another by now, nothing changes and the answer is 412. One that is not there is made, which needs `dashboards:create`.',
      need: { scope: 'org', resource: 'dashboards', action: 'update' },
      request: { params: Type.Object({ uid }), body: WriteDashboard },
      responses: {
        200: { description: 'It is replaced.', schema: WrittenDashboard },
        201: { description: 'It was not there, and is made.', schema: WrittenDashboard },
      },
      errors: ['invalid-dashboard', 'already-exists', 'version-conflict', 'protected-resource', 'not-found'],
      examples: [
        { ...example, summary: 'Whatever is there', params, body: { ...(example.body as object), overwrite: true } },
      ],
      handle: (call) => write(call, call.params.uid, 'replace'),
    }),
    route({
      method: 'PATCH',
      path: '/v2/dashboards/uid/{uid}/charts/{chartId}',
      operation: 'patchDashboardChart',
      ...common,
      summary: 'Change one chart of a dashboard',
      need: { scope: 'org', resource: 'dashboards', action: 'update' },
      request: {
        params: Type.Object({ uid, chartId: Type.String({ minLength: 1, description: 'The chart’s `id`.' }) }),
        body: PatchChart,
      },
      responses: { 200: { description: 'The dashboard with the chart as it is now.', schema: WrittenDashboard } },
      errors: ['not-found', 'invalid-dashboard', 'version-conflict'],
      examples: [
        {
          summary: 'Another name',
          params: { ...params, chartId: 'errors' },
          body: { chart: { name: 'Server errors' }, overwrite: true },
        },
      ],
      handle: async (call) => {
        const { uid, chartId } = call.params;
        const { message, overwrite = false } = call.body;
        const patch = membersOf(call.text).get('chart') ?? '{}';
        requireShort(patch, settings.maxDashboardBytes);
        const record = await dashboards.write(uid, userIdOf(call.principal), quota(), (present) => {
          if (present === undefined || !visible(present, call))
            throw httpError('not-found', { kind: 'dashboard', name: uid });
          checkVersion(present, uid, call.body, 'replace');
          const { text, parsed } = withChart(present.document, chartId, patch);
          const author = authorOf(call);
          return contentOf(parsed, text, { present, author, message, most: settings.maxDashboardBytes });
        });
        return written(record, overwrite);
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/dashboards/uid/{uid}',
      operation: 'deleteDashboard',
      ...common,
      summary: 'Delete a dashboard',
      need: { scope: 'org', resource: 'dashboards', action: 'delete' },
      request: { params: Type.Object({ uid }) },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['not-found'],
      examples: [{ summary: 'Delete', params }],
      handle: async (call) => {
        await dashboards.delete(call.params.uid, (present) => {
          if (!visible(present, call)) throw httpError('not-found', { kind: 'dashboard', name: call.params.uid });
        });
        return empty();
      },
    }),
  ];
}

/** @throws HttpError `invalid-dashboard` */
function requireShort(patch: string, most: number): void {
  if (patch.length > most)
    throw httpError('invalid-dashboard', {
      problem: `the patch is longer than a dashboard may be, which MILLRACE_MAX_DASHBOARD_BYTES limits to ${most} bytes`,
    });
}

/** A dashboard as clients see it, as text: the document stands in it as it was sent. */
const textOf = ({ document, ...record }: DashboardRecord): string =>
  `${JSON.stringify(membersShown(record)).slice(0, -1)},"dashboard":${document}}`;

const membersShown = ({
  id,
  uid,
  version,
  createdAt,
  createdBy,
  updatedAt,
  updatedBy,
}: Omit<DashboardRecord, 'document'>) => ({
  id,
  uid,
  version,
  createdAt,
  createdBy,
  updatedAt,
  updatedBy,
});

const answerOf = (record: DashboardRecord): Answer => jsonText({ id: record.uid }, textOf(record));

function written(record: DashboardRecord, overwritten: boolean): Answer {
  const made = record.version === 1;
  const text = `{"status":"${made ? 'created' : 'updated'}","dashboard":${textOf(record)}${overwritten ? ',"overwritten":true' : ''}}`;
  return jsonText({ id: record.uid }, text, made ? 201 : 200);
}
