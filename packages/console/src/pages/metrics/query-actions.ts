import { asPromql, format } from '@millrace/mpl/editor';
import { useNavigate } from '@tanstack/react-router';
import { chartPoints } from '../../data/metrics/chart-points.js';
import { MILLISECOND, nowInstant } from '../../data/time/instants.js';
import { boundsOf, type Range } from '../../data/time/ranges.js';
import { copyText } from '../../widgets/copy-text.js';
import { notify } from '../../widgets/overlays/toast.js';

/** Actions on the query of the page other than running it. */
export function useQueryActions(q: string, range: Range) {
  const navigate = useNavigate();
  return {
    addToDashboard: (): void =>
      void navigate({ to: '/dashboards' as string, search: { add: q, as: 'TimeSeries', lang: 'mpl' } as never }),
    createMonitor: (): void => void navigate({ to: '/monitors/new' as string, search: { q, lang: 'mpl' } as never }),
    copyPromql: (): void => {
      const translated = promqlOf(q, range);
      if (translated.kind === 'promql') void copyText(translated.text, 'PromQL copied');
      else notify({ text: translated.message, kind: 'problem' });
    },
  };
}

/** The query as PromQL with the windows of the chart, or why there is none. */
export function promqlOf(q: string, range: Range): ReturnType<typeof asPromql> {
  const now = nowInstant();
  const bounds = boundsOf(range, now);
  if (bounds === undefined) return { kind: 'problem', message: 'The time range is invalid' };
  const [start, end] = [Number(bounds.start / MILLISECOND), Number(bounds.end / MILLISECOND)];
  return asPromql(q, { now: Number(now / MILLISECOND), range: { start, end }, points: chartPoints(range) });
}

/** The text in canonical form; unchanged if it has mistakes. */
export const formatQuery = (text: string): string => format(text).text.trimEnd();
