import { useQuery } from '@tanstack/react-query';
import { columnOf } from '../../data/results/results.js';
import { textOf } from '../../data/results/cells.js';
import { runQuery } from '../../data/run-query.js';
import type { Range } from '../../data/time/ranges.js';
import { spansText } from './span-query.js';
import type { SpanNames } from '../../waterfall/span-names.js';

export interface Operation {
  readonly service: string;
  readonly name: string;
  readonly spans: number;
}

/** Maximum options; rarer names can be typed. */
const MAX_OPERATIONS = 500;

/** Operations in a range, most frequent first. */
export const useOperations = (dataset: string, names: SpanNames, { from, to }: Range, enabled: boolean) =>
  useQuery({
    queryKey: ['traces', 'operations', dataset, names, from, to],
    queryFn: async ({ signal }): Promise<readonly Operation[]> => {
      const apl = `${spansText(dataset, names)}\n| summarize spans = count() by ofService = ${names.service}, name\n| top ${MAX_OPERATIONS} by spans desc`;
      const answer = await runQuery({ apl, from, to }, 'aside', signal);
      const column = (name: string) => columnOf(answer, name);
      const [services, operations, spans] = [column('ofService'), column('name'), column('spans')];
      return operations.map((name, row) => ({
        service: textOf(services[row] ?? null),
        name: textOf(name),
        spans: Number(spans[row]),
      }));
    },
    enabled,
    staleTime: 60_000,
    retry: false,
  });
