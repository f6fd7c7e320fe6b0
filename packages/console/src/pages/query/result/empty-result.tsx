import { useQuery } from '@tanstack/react-query';
import { textOf } from '../../../data/results/cells.js';
import { runQuery } from '../../../data/run-query.js';
import { instantText, MINUTE, parseInstant } from '../../../data/time/instants.js';
import { rangeTitle } from '../../../data/time/ranges.js';
import { zonedText } from '../../../data/time/zones.js';
import { removeStep } from '../../../editor/edits.js';
import type { Outline } from '../../../editor/outline.js';
import { Button } from '../../../widgets/inputs/button.js';
import { EmptyState } from '../../../widgets/states.js';
import styles from '../query.module.css';
import type { QueryStateAccess } from '../query-state.js';

/** No rows: the reason, and what to do. */
export function EmptyResult({
  access,
  outline,
  run,
}: {
  readonly access: QueryStateAccess;
  readonly outline: Outline | undefined;
  readonly run: (text: string) => void;
}) {
  const { state, zone, ask } = access;
  const { data } = useQuery({
    queryKey: ['emptiness', state.q, state.from, state.to, outline?.source?.name],
    queryFn: ({ signal }) => explain(state, outline!, signal),
    enabled: outline?.source !== undefined,
    retry: false,
  });
  if (outline?.source === undefined || data === undefined)
    return <EmptyState title="No rows">No results between {rangeTitle(state, zone)}.</EmptyState>;
  if (data.inRange === 0)
    return (
      <EmptyState
        title={`No events in ${outline.source.name} for this range`}
        actions={
          data.newest !== undefined && (
            <Button
              kind="primary"
              onPress={() =>
                ask({ from: instantText(data.newest! - 30n * MINUTE), to: instantText(data.newest! + MINUTE) })
              }
            >
              Jump to the newest
            </Button>
          )
        }
      >
        {data.newest === undefined ? 'The dataset is empty.' : `Newest event: ${zonedText(data.newest, zone, 3)}.`}
      </EmptyState>
    );
  return (
    <EmptyState title="No events match the filters">
      <p>{data.inRange.toLocaleString('en')} events in this range.</p>
      <ul className={styles.list}>
        {data.steps.map(({ start, end, left }) => (
          <li key={start} className={styles.finding}>
            <code>{state.q.slice(start, end)}</code>
            <span>leaves {left.toLocaleString('en')}</span>
            <Button small onPress={() => run(removeStep(state.q, outline, { start, end }))}>
              Remove filter
            </Button>
          </li>
        ))}
      </ul>
    </EmptyState>
  );
}

interface Emptiness {
  readonly inRange: number;
  readonly newest: bigint | undefined;
  readonly steps: readonly { readonly start: number; readonly end: number; readonly left: number }[];
}

/** Number of events after each condition, cumulative. */
async function explain(
  { q, from, to }: { readonly q: string; readonly from: string; readonly to: string },
  outline: Outline,
  signal: AbortSignal,
): Promise<Emptiness> {
  const source = q.slice(0, outline.source!.end);
  const count = async (apl: string, all = false): Promise<readonly string[]> => {
    const range = all ? { from: '1970-01-01T00:00:00Z', to: 'now' } : { from, to };
    const { table } = await runQuery({ apl, ...range }, 'aside', signal);
    return table.columns.map((column) => textOf(column[0] ?? null));
  };
  const wheres = outline.steps.filter(({ kind, end }) => kind === 'where' && end <= outline.eventsEnd);
  const [inRange, newest, ...left] = await Promise.all([
    count(`${source}\n| summarize count()`),
    count(`${source}\n| summarize max(_time)`, true),
    ...wheres.map(({ end }) => count(`${q.slice(0, end)}\n| summarize count()`)),
  ]);
  return {
    inRange: Number(inRange![0]),
    newest: parseInstant(newest![0] ?? ''),
    steps: wheres.map(({ start, end }, index) => ({ start, end, left: Number(left[index]![0]) })),
  };
}
