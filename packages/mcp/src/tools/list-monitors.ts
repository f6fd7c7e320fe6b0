import { monitorRights } from '@millrace/alerts/monitor-rights';
import { loadSnapshots } from '@millrace/alerts/state/records';
import { statusOf } from '@millrace/alerts/state/status';
import { Type } from 'typebox';
import { compactTable } from '../answer/compact.js';
import { textLimits } from '../answer/query-answer.js';
import { rowsFrom } from '../answer/table.js';
import { exactObject, tool } from '../tool.js';

const columns = ['id', 'name', 'type', 'state', 'openGroups', 'lastRun', 'condition', 'error', 'query'];

export const listMonitors = tool({
  name: 'list_monitors',
  title: 'List monitors',
  description:
    'Monitors with their state (ok, open, error, off), condition and query. Start an investigation with state=open.',
  input: exactObject({
    state: Type.Optional(Type.String({ description: 'Only monitors in this state: ok, open, error, off.' })),
    match: Type.Optional(Type.String({ description: 'Part of the name, case-insensitive.' })),
  }),
  need: { scope: 'org', resource: 'monitors', action: 'read' },
  run: async ({ state, match = '' }, context) => {
    const { call, service } = context;
    const { metadata } = service;
    const readable = await monitorRights(metadata).readable(call);
    const stands = await loadSnapshots(metadata.database);
    const all = (await metadata.monitors.list())
      .filter(({ name }) => name.toLowerCase().includes(match.toLowerCase()))
      .map((monitor) => {
        // Open groups are values of events.
        const status = readable.has(monitor.id) ? statusOf(monitor, stands.get(monitor.id), Date.now(), 1) : undefined;
        const operator = monitor.operator === undefined ? '' : `${monitor.operator} ${monitor.threshold}`;
        return {
          id: monitor.id,
          name: monitor.name,
          type: monitor.type,
          state: status?.state ?? 'not readable: the token may not query its dataset',
          openGroups: status?.openGroupCount,
          lastRun: status?.lastRun,
          condition: `${operator} every ${monitor.intervalMinutes}m over ${monitor.rangeMinutes}m`.trim(),
          error: status?.error,
          query: monitor.aplQuery,
        };
      })
      .filter((monitor) => state === undefined || monitor.state === state);
    const { text, shown } = compactTable(rowsFrom(columns, all), textLimits(context));
    const head = `${shown < all.length ? `${shown} of ${all.length}` : all.length} monitors; now ${new Date().toISOString()}`;
    return { text: all.length === 0 ? head : `${head}\n${text}` };
  },
});
