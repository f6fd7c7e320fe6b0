import { useNavigate } from '@tanstack/react-router';
import type { Answer } from '../../data/results/results.js';
import type { QueryState, ShownView } from './query-state.js';

/** Opens the dashboards to choose one for the current query. */
export function useAddToDashboard(textNow: () => string, view: ShownView, answer: Answer | undefined): () => void {
  const navigate = useNavigate();
  return () =>
    void navigate({ to: '/dashboards' as string, search: { add: textNow(), as: elementFor(view, answer) } as never });
}

/** Element kind that matches the current view. */
function elementFor(view: Exclude<QueryState['v'], 'auto'>, answer: Answer | undefined): string {
  const table = answer?.table;
  if (table !== undefined && table.rows === 1 && table.head.fields.length === 1) return 'Statistic';
  switch (view) {
    case 'log':
      return 'LogStream';
    case 'chart':
      return table?.head.buckets === undefined ? 'TopK' : 'TimeSeries';
    case 'table':
    case 'json':
    case 'patterns':
    case 'spotlight':
      return 'Table';
  }
}
