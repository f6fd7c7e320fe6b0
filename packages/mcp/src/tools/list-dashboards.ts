import { Type } from 'typebox';
import { everyone } from '@millrace/api/schemas/dashboard';
import { userIdOf } from '@millrace/http/access/identity';
import { compactTable } from '../answer/compact.js';
import { textLimits } from '../answer/query-answer.js';
import { rowsFrom } from '../answer/table.js';
import { exactObject, tool } from '../tool.js';

export const listDashboards = tool({
  name: 'list_dashboards',
  title: 'List dashboards',
  description: 'Dashboards that the user may see, with the uid for get_dashboard.',
  input: exactObject({ match: Type.Optional(Type.String({ description: 'Part of the name, case-insensitive.' })) }),
  output: Type.Object({
    dashboards: Type.Array(Type.Object({ uid: Type.String(), name: Type.String(), updated: Type.String() })),
  }),
  need: { scope: 'org', resource: 'dashboards', action: 'read' },
  run: async ({ match = '' }, context) => {
    const { metadata, settings } = context.service;
    const owners = [everyone, userIdOf(context.call.principal)];
    const all: { readonly uid: string; readonly name: string; readonly updated: string }[] = [];
    for await (const page of metadata.dashboards.list(owners, { limit: settings.mcpMaxRows, offset: 0 }))
      all.push(...page.map(({ uid, name, updatedAt }) => ({ uid, name, updated: updatedAt })));
    const dashboards = all.filter(({ name }) => name.toLowerCase().includes(match.toLowerCase()));
    const { text, shown } = compactTable(rowsFrom(['uid', 'name', 'updated'], dashboards), textLimits(context));
    return {
      text: `${dashboards.length} dashboards${dashboards.length === 0 ? '' : `\n${text}`}`,
      structured: { dashboards: dashboards.slice(0, shown) },
    };
  },
});
