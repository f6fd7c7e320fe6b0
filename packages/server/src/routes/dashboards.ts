import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { userIdOf } from '@millrace/http/access/identity';
import { type Author, contentOf, addChart } from '../dashboards/changes.js';
import { ownerOf } from '../dashboards/document.js';
import { dashboardErrors } from '../dashboards/errors.js';
import { membersOf } from '../dashboards/json-text.js';
import { checkVersion } from '../dashboards/versions.js';
import { httpError } from '@millrace/api/errors';
import { listInPieces } from '@millrace/http/body/json-stream';
import {
  type RouteResponse,
  type RequestContext,
  empty,
  type Example,
  json,
  jsonText,
  route,
  type Route,
} from '@millrace/http/route';
import type { DashboardQuota, DashboardRecord } from '@millrace/metadata/dashboards';
import { Dashboard, everyone, PatchChart, WriteDashboard, WrittenDashboard } from '@millrace/api/schemas/dashboard';
import { includeParameter, Page } from '@millrace/api/schemas/parts';
import type { Deps } from './deps.js';

const common = { tag: 'Dashboards', errorForm: dashboardErrors, mismatch: 'invalid-dashboard' } as const;
const uid = Type.String({ minLength: 1, description: 'The dashboard’s `uid`.' });
const params = { uid: 'service-overview' };
const IncludeQuery = includeParameter('unknownOwner', 'adds the owner as sent, if it is no user here.');

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

/** Dashboards. For other users, a private one does not exist: they get 404. */
export function dashboardRoutes({ metadata: { dashboards, users }, settings }: Deps): readonly Route[] {
  const visible = ({ owner }: DashboardRecord, { principal }: Pick<RequestContext, 'principal'>): boolean =>
    owner === everyone || owner === userIdOf(principal);

  const quota = (): DashboardQuota => ({
    records: settings.maxDashboards,
    bytes: settings.maxAllDashboardBytes,
    versionBytes: 2 * settings.maxDashboardBytes,
  });

  const dashboardShown = async (uid: string, call: Pick<RequestContext, 'principal'>): Promise<DashboardRecord> => {
    const found = await dashboards.find(uid);
    if (found === undefined || !visible(found, call)) throw httpError('not-found', { kind: 'dashboard', name: uid });
    return found;
  };

  const authorOf = ({ principal, may }: Pick<RequestContext, 'principal' | 'may'>): Author => ({
    userId: userIdOf(principal),
    manages: may({ scope: 'org', resource: 'users', action: 'update' }),
  });

  const write = async (
    call: Pick<RequestContext, 'text' | 'principal' | 'may' | 'require'> & {
      readonly body: WriteDashboard;
      readonly query: Static<typeof IncludeQuery>;
    },
    uid: string,
    way: Way,
  ): Promise<RouteResponse> => {
    const { body } = call;
    const { dashboard, message, overwrite = false } = body;
    for (const documentUid of [body.uid, dashboard.uid])
      if (documentUid !== undefined && documentUid !== uid)
        throw httpError('invalid-dashboard', {
          problem: `it has the uid '${documentUid}', and '${uid}' elsewhere; send one of them`,
        });
    const named = ownerOf(dashboard);
    // A dashboard of an unknown user could be seen by none: imports have IDs of other servers.
    const isKnown = named === everyone || (await users.find(named)) !== undefined;
    const owner = isKnown ? named : everyone;
    const text = membersOf(call.text()).get('dashboard') ?? '';
    let overwritten = false;
    const record = await dashboards.write(uid, userIdOf(call.principal), quota(), (present) => {
      if (present !== undefined && !visible(present, call))
        throw httpError('already-exists', { kind: 'dashboard', name: uid });
      call.require({ scope: 'org', resource: 'dashboards', action: present === undefined ? 'create' : 'update' });
      checkVersion(present, uid, body, way);
      overwritten = overwrite && present !== undefined;
      const author = authorOf(call);
      return contentOf(dashboard, text, { owner, present, author, message, max: settings.maxDashboardBytes });
    });
    return writtenAnswer(record, overwritten, isKnown || call.query.include === undefined ? undefined : named);
  };

  return [
    route({
      method: 'GET',
      path: '/api/internal/integrations/dashboards',
      operation: 'listIntegrationDashboards',
      ...common,
      summary: 'List dashboards of integrations',
      description:
        'Always empty: there are no integrations. Axiom’s MCP server requests these dashboards with all others, and shows none if that fails.',
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
      responses: {
        200: { description: 'Your own and public dashboards, sorted by name.', schema: Type.Array(Dashboard) },
      },
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
        'An existing dashboard with this `uid` is replaced if `version` is its current version or `overwrite` is set; this requires `dashboards:update`.',
      need: { scope: 'org', resource: 'dashboards', action: 'create' },
      request: { query: IncludeQuery, body: WriteDashboard },
      responses: {
        200: { description: 'Replaced.', schema: WrittenDashboard },
        201: { description: 'Created.', schema: WrittenDashboard },
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
      handle: async (call) => answerOf(await dashboardShown(call.params.uid, call)),
    }),
    route({
      method: 'PUT',
      path: '/v2/dashboards/uid/{uid}',
      operation: 'replaceDashboard',
      ...common,
      summary: 'Replace a dashboard',
      description:
        '`version` is the version that was read; if the current one differs, nothing changes and the response is 412. A missing dashboard is created, which requires `dashboards:create`.',
      need: { scope: 'org', resource: 'dashboards', action: 'update' },
      request: { params: Type.Object({ uid }), query: IncludeQuery, body: WriteDashboard },
      responses: {
        200: { description: 'Replaced.', schema: WrittenDashboard },
        201: { description: 'Created.', schema: WrittenDashboard },
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
      summary: 'Update a chart of a dashboard',
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
        const patch = membersOf(call.text()).get('chart') ?? '{}';
        requireShort(patch, settings.maxDashboardBytes);
        const record = await dashboards.write(uid, userIdOf(call.principal), quota(), (present) => {
          if (present === undefined || !visible(present, call))
            throw httpError('not-found', { kind: 'dashboard', name: uid });
          checkVersion(present, uid, call.body, 'replace');
          const { text, parsed } = addChart(present.document, chartId, patch);
          const author = authorOf(call);
          const owner = ownerOf(parsed);
          return contentOf(parsed, text, { owner, present, author, message, max: settings.maxDashboardBytes });
        });
        return writtenAnswer(record, overwrite, undefined);
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
      responses: { 204: { description: 'Deleted.' } },
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
function requireShort(patch: string, max: number): void {
  if (patch.length > max)
    throw httpError('invalid-dashboard', {
      problem: `the patch is longer than a dashboard may be, which MILLRACE_MAX_DASHBOARD_BYTES limits to ${max} bytes`,
    });
}

/** A dashboard as JSON text for clients: contains the document as it was sent. */
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

const answerOf = (record: DashboardRecord): RouteResponse => jsonText({ id: record.uid }, textOf(record));

/** @param unknownOwner owner that was sent and is no user here */
function writtenAnswer(record: DashboardRecord, overwritten: boolean, unknownOwner: string | undefined): RouteResponse {
  const made = record.version === 1;
  const shared = unknownOwner === undefined ? '' : `,"unknownOwner":${JSON.stringify(unknownOwner)}`;
  const text = `{"status":"${made ? 'created' : 'updated'}","dashboard":${textOf(record)}${overwritten ? ',"overwritten":true' : ''}${shared}}`;
  return jsonText({ id: record.uid }, text, made ? 201 : 200);
}
