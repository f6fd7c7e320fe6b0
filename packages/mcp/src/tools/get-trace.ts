import { Type } from 'typebox';
import { escapeInvisible, cut } from '../answer/cell.js';
import { lines, textLimits } from '../answer/query-answer.js';
import { firstRows, recordsOf } from '../answer/table.js';
import { nameText, stringText } from '../apl-text.js';
import { traceLink } from '../console-link.js';
import { runQuery } from '../run-query.js';
import { limit, exactObject, times, tool } from '../tool.js';
import { durationText } from '../traces/durations.js';
import { spanSource } from '../traces/spans.js';
import { criticalPath, type Span, treeOf } from '../traces/tree.js';

const standardSpans = 200;
const standardStart = 'now-7d';

export const getTrace = tool({
  name: 'get_trace',
  title: 'Get a trace',
  description:
    'The spans of a trace as a tree: offset from the start, duration, service, name, failures. * marks the critical path, the spans that determine the duration.',
  input: exactObject({
    traceId: Type.String({ minLength: 1, description: 'Value of trace_id.' }),
    dataset: Type.Optional(Type.String({ description: 'Dataset with the spans, if there are several.' })),
    startTime: Type.Optional(Type.String({ description: `Default: ${standardStart}. A shorter range is faster.` })),
    endTime: times.endTime,
    maxSpans: limit(standardSpans, 'spans'),
  }),
  run: async ({ traceId, dataset, startTime = standardStart, endTime = 'now', maxSpans = standardSpans }, context) => {
    const source = spanSource(dataset, context);
    const parent = source.has('parent_span_id') ? 'tostring(parent_span_id)' : "''";
    const message = source.has('status.message') ? "tostring(['status.message'])" : "''";
    const apl = [
      nameText(source.dataset),
      `| where trace_id == ${stringText(traceId)}`,
      `| project id = tostring(span_id), parent = ${parent}, name = tostring(name), service = ${source.service}, start = tostring(tolong(_time)), duration = tostring(tolong(duration)), failed = ${source.failed}, message = ${message}`,
      `| sort by start asc`,
      `| take ${maxSpans + 1}`,
    ].join('\n');
    const { outcome } = await runQuery({ apl, startTime, endTime }, context);
    const spans = recordsOf(firstRows(outcome.table, maxSpans)).map(spanOf);
    if (spans.length === 0)
      return {
        text: `No span of trace ${traceId} in '${source.dataset}' from ${startTime} to ${endTime}. Widen startTime.`,
      };
    const isCut = outcome.table.rows > maxSpans;
    return {
      text: lines([
        ...treeText(spans, textLimits(context).bytes),
        isCut ? `truncated: the trace has more than ${maxSpans} spans; raise maxSpans or query the dataset` : '',
        traceLink(source.dataset, traceId, context),
      ]),
    };
  },
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const integer = (value: unknown): bigint => (/^-?\d+$/.test(text(value)) ? BigInt(text(value)) : 0n);

const spanOf = (record: Readonly<Record<string, unknown>>): Span => ({
  id: text(record['id']),
  parent: text(record['parent']),
  name: text(record['name']),
  service: text(record['service']),
  start: integer(record['start']),
  duration: integer(record['duration']),
  failed: record['failed'] === true,
  message: text(record['message']),
});

const maxName = 120;

function treeText(spans: readonly Span[], bytes: number): readonly string[] {
  const nodes = treeOf(spans);
  const path = criticalPath(nodes);
  const begin = spans.reduce((first, { start }) => (start < first ? start : first), spans[0]!.start);
  const end = spans.reduce(
    (last, span) => (span.start + span.duration > last ? span.start + span.duration : last),
    begin,
  );
  const failures = spans.filter(({ failed }) => failed).length;
  const took = durationText(Number(end - begin));
  const at = new Date(Number(begin / 1_000_000n)).toISOString();
  const head = `${spans.length} spans, ${failures} failed, ${took}, from ${at}; * is on the critical path`;
  let left = bytes;
  const rows: string[] = [];
  for (const { span, depth } of nodes) {
    const name = cut(escapeInvisible(span.name), maxName);
    const failure = span.failed
      ? `  FAILED${span.message === '' ? '' : `: ${cut(escapeInvisible(span.message), 200)}`}`
      : '';
    const row = `${'  '.repeat(Math.min(depth, 20))}${path.has(span) ? '*' : '-'} +${durationText(Number(span.start - begin))} ${durationText(Number(span.duration))} ${escapeInvisible(span.service)}: ${name}${failure}`;
    left -= Buffer.byteLength(row) + 1;
    if (left < 0)
      return [head, ...rows, `truncated: ${nodes.length - rows.length} more spans; lower maxSpans or query them`];
    rows.push(row);
  }
  return [head, ...rows];
}
