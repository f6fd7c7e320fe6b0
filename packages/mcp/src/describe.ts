import { formatRfc3339 } from '@millrace/timestamps';
import { fieldsOf } from '@millrace/metadata/datasets/fields';
import { cellText, shortTime } from './answer/cell.js';
import { compactTable } from './answer/compact.js';
import { lines, textLimits } from './answer/query-answer.js';
import { firstRows, rowsFrom } from './answer/table.js';
import { nameText } from './apl-text.js';
import type { AgentContext } from './context.js';
import { readableDataset } from './readable.js';
import { runQuery } from './run-query.js';

interface FieldFilter {
  /** Part of the names. */
  readonly match: string;
  readonly max: number;
}

/** Characters of a value of the sample. */
const sampleCell = 120;

/**
 * Describes a dataset: its fields, its time range and its newest event.
 * @throws HttpError if it does not exist or may not be read
 */
export async function datasetText(name: string, { match, max }: FieldFilter, context: AgentContext): Promise<string> {
  const { metadata, storage } = context.service;
  const record = readableDataset(name, context);
  const { rows, minTime, maxTime } = await storage.info(record);
  const sample = maxTime === undefined ? new Map<string, string>() : await newestEvent(name, maxTime, context);
  const virtual = (await metadata.virtualFields.list()).filter((field) => field.dataset === name);
  const list = await fieldsOf({ metadata, data: storage }, record);
  const stored = [];
  for await (const piece of list.pieces()) stored.push(...piece.filter((field) => !field.hidden));
  const all = [
    ...virtual.map((field) => ({ ...field, type: 'virtual', sample: '' })),
    ...stored.map((field) => ({ ...field, sample: sample.get(field.name) ?? '' })),
  ].filter((field) => field.name.toLowerCase().includes(match.toLowerCase()));
  const fields = all.slice(0, max);
  const table = compactTable(rowsFrom(['name', 'type', 'unit', 'description', 'sample'], fields), textLimits(context));
  const span =
    minTime === undefined || maxTime === undefined
      ? 'no events'
      : `${rows} events from ${shortTime(formatRfc3339(minTime))} to ${shortTime(formatRfc3339(maxTime))}`;
  return lines([
    `dataset ${nameText(name)} (${record.kind}): ${span}`,
    record.description,
    `${table.shown < all.length ? `${table.shown} of ${all.length}` : all.length} fields; the sample is of the newest event`,
    fields.length === 0 ? 'No field matches.' : table.text,
    table.shown < all.length ? `truncated: ${all.length - table.shown} more fields; use match to find them` : '',
  ]);
}

/** The newest event, as text by field. */
async function newestEvent(name: string, maxTime: bigint, context: AgentContext): Promise<ReadonlyMap<string, string>> {
  const at = formatRfc3339(maxTime);
  const { outcome } = await runQuery(
    { apl: `${nameText(name)}\n| take 1`, startTime: at, endTime: at, limit: 1 },
    context,
  );
  const { columns, cells } = firstRows(outcome.table, 1);
  const [row = []] = cells;
  return new Map(columns.map(({ name: field, type }, i) => [field, cellText(row[i] ?? '', type, sampleCell)] as const));
}
