import { Type } from 'typebox';
import { formatRfc3339 } from '@millrace/timestamps';
import { compactTable } from '../answer/compact.js';
import { shortTime } from '../answer/cell.js';
import { textLimits } from '../answer/query-answer.js';
import { rowsFrom } from '../answer/table.js';
import { readableDatasets } from '../readable.js';
import { exactObject, tool } from '../tool.js';

const entry = Type.Object({
  name: Type.String(),
  kind: Type.String({ description: 'What its events are, or view.' }),
  events: Type.Optional(Type.Integer()),
  oldest: Type.Optional(Type.String()),
  newest: Type.Optional(Type.String()),
  fields: Type.Optional(Type.Integer()),
  description: Type.Optional(Type.String()),
});
const columns = ['name', 'kind', 'events', 'oldest', 'newest', 'fields', 'description'];

export const listDatasets = tool({
  name: 'list_datasets',
  title: 'List datasets',
  description:
    'Datasets and views that the token may query, with their number of events and the times of the oldest and newest one. Call it first.',
  input: exactObject({ match: Type.Optional(Type.String({ description: 'Part of the name, case-insensitive.' })) }),
  output: Type.Object({ now: Type.String(), datasets: Type.Array(entry) }),
  run: async ({ match = '' }, context) => {
    const { metadata, storage, settings } = context.service;
    const fits = ({ name }: { readonly name: string }): boolean => name.toLowerCase().includes(match.toLowerCase());
    const records = readableDatasets(context).filter(fits);
    const max = settings.mcpMaxRows;
    const datasets = await Promise.all(
      records.slice(0, max).map(async (record) => {
        const { rows, minTime, maxTime } = await storage.info(record);
        return {
          name: record.name,
          kind: record.kind,
          events: rows,
          ...(minTime !== undefined && { oldest: shortTime(formatRfc3339(minTime)) }),
          ...(maxTime !== undefined && { newest: shortTime(formatRfc3339(maxTime)) }),
          fields: storage.fields(record).size,
          ...(record.description !== '' && { description: record.description }),
        };
      }),
    );
    const views = (await metadata.views.list())
      .filter(({ name }) => context.call.may({ scope: 'view', name, resource: 'query', action: 'read' }))
      .filter(fits)
      .map(({ name }) => ({ name, kind: 'view' }));
    const all = [...datasets, ...views];
    const now = shortTime(new Date().toISOString());
    const { text, shown } = compactTable(rowsFrom(columns, all), textLimits(context));
    const total = records.length + views.length;
    const head = `${shown < total ? `${shown} of ${total}` : total} datasets and views; now ${now}`;
    return {
      text: total === 0 ? `${head}\nNo dataset matches, or the token may query none.` : `${head}\n${text}`,
      structured: { now, datasets: all.slice(0, shown) },
    };
  },
});
