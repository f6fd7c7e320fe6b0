import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { datasetText, stringText } from '../../data/apl-text.js';
import { type Answer, columnOf } from '../../data/results/results.js';
import { textOf } from '../../data/results/cells.js';
import { runQuery } from '../../data/run-query.js';
import { HOUR, instantText, parseInstant } from '../../data/time/instants.js';
import type { Range } from '../../data/time/ranges.js';
import type { SpanNames } from '../../waterfall/span-names.js';

/** A trace in a list. */
export interface FoundTrace {
  readonly id: string;
  /** Nanoseconds since the epoch. */
  readonly began: bigint;
  /** Nanoseconds. */
  readonly duration: number;
  /** The first span, and whether it is a root: the root may be missing. */
  readonly name: string;
  readonly service: string;
  readonly hasRoot: boolean;
  readonly spans: number;
  readonly failed: number;
  readonly services: readonly string[];
}

interface FoundTraces {
  readonly traces: readonly FoundTrace[];
  /** More traces are available. */
  readonly isCut: boolean;
}

export type TraceOrder = 'newest' | 'slowest';

/** Spans of a trace may be outside the range of the match. */
const AROUND = HOUR;

/** The whole traces of matching spans. */
export function useFoundTraces(
  dataset: string,
  {
    spans,
    names,
    order,
    max,
    enabled,
  }: {
    readonly spans: string;
    readonly names: SpanNames;
    readonly order: TraceOrder;
    readonly max: number;
    readonly enabled: boolean;
  },
  { from, to }: Range,
) {
  return useQuery({
    queryKey: ['traces', 'found', spans, order, max, from, to],
    queryFn: async ({ signal }): Promise<FoundTraces> => {
      const by = order === 'newest' ? 'at' : 'slowest';
      const which = `${spans}\n| summarize at = max(_time), slowest = max(duration) by trace_id\n| top ${max + 1} by ${by} desc`;
      const first = await runQuery({ apl: which, from, to }, 'rows', signal);
      const ids = columnOf(first, 'trace_id').map(textOf);
      const wanted = ids.slice(0, max);
      if (wanted.length === 0) return { traces: [], isCut: false };
      const { start, end } = first.table.head.range;
      const around = {
        from: instantText((parseInstant(start) ?? 0n) - AROUND),
        to: instantText((parseInstant(end) ?? 0n) + AROUND),
      };
      const whole = await runQuery({ apl: wholeTraces(dataset, names, wanted), ...around }, 'rows', signal);
      const found = new Map(tracesOf(whole).map((trace) => [trace.id, trace]));
      return { traces: wanted.flatMap((id) => found.get(id) ?? []), isCut: ids.length > max };
    },
    enabled,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

const wholeTraces = (dataset: string, names: SpanNames, ids: readonly string[]): string =>
  `${datasetText(dataset)}
| where trace_id in (${ids.map(stringText).join(', ')}) and isnotempty(span_id)
| extend ofService = ${names.service}, isRoot = ${names.root}
| summarize began = min(_time), ended = max(toint(_time) + coalesce(duration, 0)), spans = count(), failed = countif(${names.failed}),
  services = make_set(ofService), roots = countif(isRoot), rootName = take_anyif(name, isRoot), rootService = take_anyif(ofService, isRoot),
  arg_min(_time, name, ofService) by trace_id`;

function tracesOf(answer: Answer): readonly FoundTrace[] {
  const column = (name: string) => {
    const cells = columnOf(answer, name);
    return (row: number): string => textOf(cells[row] ?? null);
  };
  const [began, ended, spans, failed] = [column('began'), column('ended'), column('spans'), column('failed')];
  const [roots, rootName, rootService] = [column('roots'), column('rootName'), column('rootService')];
  const [name, service, services] = [column('name'), column('ofService'), column('services')];
  return columnOf(answer, 'trace_id').map((id, row) => {
    const start = parseInstant(began(row)) ?? 0n;
    const hasRoot = Number(roots(row)) > 0;
    return {
      id: textOf(id),
      began: start,
      duration: Number(BigInt(ended(row) || start) - start),
      name: hasRoot ? rootName(row) : name(row),
      service: hasRoot ? rootService(row) : service(row),
      hasRoot,
      spans: Number(spans(row)),
      failed: Number(failed(row)),
      services: (JSON.parse(services(row) || '[]') as readonly string[]).toSorted(),
    };
  });
}
