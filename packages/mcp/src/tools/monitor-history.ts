import { monitorRights } from '@millrace/alerts/monitor-rights';
import { changesOf, runsOf } from '@millrace/alerts/state/records';
import { toApiRun } from '@millrace/alerts/state/status';
import { requestedBounds } from '@millrace/query/compile/request';
import { Type } from 'typebox';
import { compactTable } from '../answer/compact.js';
import { lines, textLimits } from '../answer/query-answer.js';
import { rowsFrom } from '../answer/table.js';
import { monitorLink } from '../console-link.js';
import { limit, exactObject, times, tool } from '../tool.js';

export const monitorHistory = tool({
  name: 'monitor_history',
  title: 'History of a monitor',
  description: 'State changes of a monitor in a time range, and its last runs with their values and errors.',
  input: exactObject({
    monitor: Type.String({ minLength: 1, description: 'ID from list_monitors.' }),
    ...times,
    limit: limit(20, 'changes, and as many runs'),
  }),
  need: { scope: 'org', resource: 'monitors', action: 'read' },
  run: async ({ monitor, startTime = 'now-1d', endTime = 'now', limit: max = 20 }, context) => {
    const { call, service } = context;
    const { metadata } = service;
    await monitorRights(metadata).require(monitor, call);
    const { name } = await metadata.monitors.get(monitor);
    const { range } = requestedBounds({ startTime, endTime }, service.arrivalClock());
    const span = { from: Number(range.start / 1_000_000n), to: Number(range.end / 1_000_000n) };
    const changes = (await changesOf(monitor, span, metadata.database)).toReversed();
    const runs = (await runsOf(monitor, metadata.database)).map(toApiRun);
    const table = (rows: readonly object[]): string => {
      const records = rows.slice(0, max) as readonly Readonly<Record<string, unknown>>[];
      const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
      return compactTable(rowsFrom(columns, records), textLimits(context)).text;
    };
    return {
      text: lines([
        `${name}: ${changes.length} changes${changes.length > max ? `, the newest ${max}` : ''}`,
        changes.length === 0 ? '' : table(changes),
        `last ${Math.min(max, runs.length)} of ${runs.length} runs`,
        runs.length === 0 ? '' : table(runs),
        monitorLink(monitor, context),
      ]),
    };
  },
});
