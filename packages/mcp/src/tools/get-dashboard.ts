import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { everyone } from '@millrace/api/schemas/dashboard';
import { userIdOf } from '@millrace/http/access/identity';
import { compactTable } from '../answer/compact.js';
import { lines, textLimits } from '../answer/query-answer.js';
import { rowsFrom } from '../answer/table.js';
import { dashboardLink } from '../console-link.js';
import { exactObject, tool } from '../tool.js';

interface Chart {
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly query?: { readonly apl?: string };
}

export const getDashboard = tool({
  name: 'get_dashboard',
  title: 'Get a dashboard',
  description: 'Charts of a dashboard with their queries, to run with the tool query.',
  input: exactObject({ uid: Type.String({ minLength: 1, description: 'From list_dashboards.' }) }),
  need: { scope: 'org', resource: 'dashboards', action: 'read' },
  run: async ({ uid }, context) => {
    const { call, service } = context;
    const found = await service.metadata.dashboards.find(uid);
    // For other users, a private dashboard does not exist.
    if (found === undefined || (found.owner !== everyone && found.owner !== userIdOf(call.principal)))
      throw httpError('not-found', { kind: 'dashboard', name: uid });
    const document = JSON.parse(found.document) as Readonly<Record<string, unknown>>;
    const charts = (Array.isArray(document['charts']) ? document['charts'] : []) as readonly Chart[];
    const records = charts.map(({ id, name, type, query }) => ({ id, name, type, query: query?.apl }));
    const times = [document['timeWindowStart'], document['timeWindowEnd']].filter((time) => typeof time === 'string');
    return {
      text: lines([
        `${found.name}: ${charts.length} charts${times.length === 2 ? `, ${times.join(' to ').replaceAll('qr-', '')}` : ''}`,
        compactTable(rowsFrom(['id', 'name', 'type', 'query'], records), { ...textLimits(context), cell: 4000 }).text,
        dashboardLink(uid, context),
      ]),
    };
  },
});
