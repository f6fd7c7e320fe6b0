import { useQuery } from '@tanstack/react-query';
import { textOf } from '../../../data/results/cells.js';
import { runQuery } from '../../../data/run-query.js';
import type { Outline } from '../../../editor/outline.js';
import { Button } from '../../../widgets/inputs/button.js';
import styles from '../query.module.css';
import type { QueryStateAccess } from '../query-state.js';
import type { Result } from '../use-result.js';

/** Banner of a pinned view, with the number of later arrivals. */
export function PinnedStrip({
  access: { state, ask },
  result,
  outline,
}: {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly outline: Outline | undefined;
}) {
  const { asof, from, to } = state;
  const events = outline?.source === undefined ? '' : state.q.slice(0, outline.eventsEnd).trimEnd();
  const { data } = useQuery({
    queryKey: ['newer', events, from, to, asof],
    queryFn: async ({ signal }) => {
      const count = async (asOf: string | undefined): Promise<number> => {
        const apl = `${events}\n| summarize count()`;
        const { table } = await runQuery({ apl, from, to, ...(asOf !== undefined && { asOf }) }, 'aside', signal);
        return Number(textOf(table.columns[0]?.[0] ?? null));
      };
      const [now, then] = await Promise.all([count(undefined), count(asof)]);
      return now - then;
    },
    enabled: asof !== '' && events !== '' && result.answer !== undefined,
    staleTime: 60_000,
    retry: false,
  });
  if (asof === '') return null;
  return (
    <div className={styles.strip} role="status">
      <span>Pinned at position {asof}. Events deleted since are not shown.</span>
      {data !== undefined && data > 0 && <span>{data.toLocaleString('en')} newer events match.</span>}
      <Button small onPress={() => ask({ asof: '' })}>
        Show current data
      </Button>
    </div>
  );
}
