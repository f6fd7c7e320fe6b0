import { useCallback } from 'react';
import { fieldText } from '../data/apl-text.js';
import { textOf } from '../data/results/cells.js';
import { queryClient } from '../data/query-client.js';
import { runQuery } from '../data/run-query.js';
import type { Outline } from '../editor/outline.js';
import { parseJson } from '../rows/json-parse.js';
import type { Range } from '../data/time/ranges.js';

/** Frequent values of a field in the current range, for completion; cached for a minute. */
export function useValuesOf({ from, to }: Range, outline: Outline | undefined, text: string) {
  const source = outline?.source;
  const dataset = source === undefined ? undefined : text.slice(source.start, source.end);
  return useCallback(
    async (field: string): Promise<readonly string[]> => {
      if (dataset === undefined) return [];
      const apl = `${dataset}\n| summarize top = topk(${fieldText(field)}, 20)`;
      try {
        return await queryClient.fetchQuery({
          queryKey: ['values', apl, from, to],
          queryFn: async ({ signal }) => {
            const { table } = await runQuery({ apl, from, to }, 'aside', signal);
            const tree = parseJson(textOf(table.columns[0]?.[0] ?? null));
            return tree?.kind === 'array' ? tree.items.flatMap(keyOf) : [];
          },
          staleTime: 60_000,
          retry: false,
        });
      } catch {
        // No values for a missing field or from a busy server.
        return [];
      }
    },
    [dataset, from, to],
  );
}

function keyOf(item: ReturnType<typeof parseJson>): readonly string[] {
  const key = item?.kind === 'object' ? item.members.find(([name]) => name === 'key')?.[1] : undefined;
  return key?.kind === 'scalar' && key.type === 'string' ? [JSON.parse(key.text) as string] : [];
}
