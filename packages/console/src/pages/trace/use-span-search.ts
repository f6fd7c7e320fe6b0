import { useQuery } from '@tanstack/react-query';
import { stringText } from '../../data/apl-text.js';
import { columnOf } from '../../data/results/results.js';
import { textOf } from '../../data/results/cells.js';
import { runQuery } from '../../data/run-query.js';
import { MAX_SPANS, spansOfTrace, type useTrace } from '../../waterfall/use-trace.js';

/**
 * IDs of spans with a text in their name, service or other values; undefined without a search, or
 * while loading.
 */
export function useFoundSpans(
  request: Parameters<typeof useTrace>[0],
  text: string,
  trace: ReturnType<typeof useTrace>['data'],
): ReadonlySet<string> | undefined {
  const { data } = useQuery({
    queryKey: ['trace', 'search', request, text],
    queryFn: async ({ signal }) => {
      const apl = `${spansOfTrace(request)}\n| search ${stringText(text)}\n| project span_id`;
      const answer = await runQuery({ apl, from: request.from, to: request.to, rows: MAX_SPANS }, 'aside', signal);
      return new Set(columnOf(answer, 'span_id').map(textOf));
    },
    enabled: text !== '' && trace !== undefined,
    staleTime: Infinity,
    retry: false,
  });
  return text === '' ? undefined : data;
}
