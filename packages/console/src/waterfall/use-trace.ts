import { useQuery } from '@tanstack/react-query';
import { datasetText, stringText } from '../data/apl-text.js';
import { columnOf } from '../data/results/results.js';
import { textOf } from '../data/results/cells.js';
import { useCatalog } from '../data/catalog.js';
import { runQuery } from '../data/run-query.js';
import { parseInstant } from '../data/time/instants.js';
import { serviceFields } from './span-names.js';
import { type Span, type Trace, traceOfSpans } from './span-tree.js';

/** Maximum spans of a trace on the page. */
export const MAX_SPANS = 20_000;

/** Fields of a span in the waterfall; the rest is loaded when it is opened. */
const NEEDED = ['span_id', 'parent_span_id', 'name', 'kind', 'duration', 'error', 'status.code'];

interface TraceQuestion {
  readonly dataset: string;
  readonly traceId: string;
  readonly from: string;
  readonly to: string;
}

export interface LoadedTrace extends Trace {
  /** Start in nanoseconds since the epoch. */
  readonly began: bigint;
  readonly isCut: boolean;
}

/** `project` would rename a path; a bracketed name keeps its own. */
const columnText = datasetText;

export const spansOfTrace = ({ dataset, traceId }: TraceQuestion): string =>
  `${datasetText(dataset)}\n| where trace_id == ${stringText(traceId)}`;

/** All spans of a trace as a tree; omits fields that the dataset lacks. */
export function useTrace(request: TraceQuestion) {
  const { dataset, traceId, from, to } = request;
  const catalog = useCatalog();
  const fields = catalog?.datasets.find(({ name }) => name === dataset)?.fields;
  const chosen = catalog?.datasets.find(({ name }) => name === dataset)?.fieldRoles?.service;
  const services = serviceFields(chosen);
  const needed = [...NEEDED, ...services].filter((name) => fields?.some((each) => each.name === name));
  return useQuery({
    queryKey: ['trace', dataset, traceId, from, to, needed],
    queryFn: async ({ signal }): Promise<LoadedTrace> => {
      const apl = `${spansOfTrace(request)}\n| where isnotempty(span_id)\n| project _time, ${needed.map(columnText).join(', ')}`;
      const answer = await runQuery({ apl, from, to, rows: MAX_SPANS, order: 'oldest' }, 'rows', signal);
      const column = (name: string) => columnOf(answer, name);
      const [times, names] = [column('_time'), column('name')];
      const began = times.reduce<bigint | undefined>((first, cell) => {
        const at = parseInstant(textOf(cell));
        return at === undefined || (first !== undefined && first <= at) ? first : at;
      }, undefined);
      const text = (name: string): ((row: number) => string) => {
        const cells = column(name);
        return (row) => textOf(cells[row] ?? null);
      };
      const [id, parent, kind, code] = [text('span_id'), text('parent_span_id'), text('kind'), text('status.code')];
      const named = services.map(text);
      const [durations, errors] = [column('duration'), column('error')];
      const spans = times.map((time, row): Span => ({
        id: id(row),
        parent: parent(row),
        name: textOf(names[row] ?? null) || '(no name)',
        kind: kind(row),
        service: named.map((read) => read(row)).find((name) => name !== '') ?? '(no service)',
        start: Number((parseInstant(textOf(time)) ?? 0n) - (began ?? 0n)),
        duration: Math.max(0, Number(durations[row] ?? 0)) || 0,
        error: errors[row] === true || /error/i.test(code(row)),
      }));
      return { ...traceOfSpans(spans), began: began ?? 0n, isCut: spans.length === MAX_SPANS };
    },
    enabled: needed.includes('span_id'),
    staleTime: Infinity,
    retry: false,
  });
}
