import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { type Catalogue, isOwn, useCatalogue } from '../../../data/catalogue.js';
import { datasetText, fieldText } from '../../../data/apl-text.js';
import { textOf } from '../../../data/answers/cells.js';
import { runQuery } from '../../../data/run-query.js';
import { useSavedQueries } from '../../../data/saved-queries.js';
import { instantText, MINUTE, parseInstant } from '../../../data/time/instants.js';
import { rangeTitle } from '../../../data/time/ranges.js';
import { zonedText } from '../../../data/time/zones.js';
import { without } from '../../../editor/edits.js';
import type { Outline } from '../../../editor/outline.js';
import { splitField } from '../../../rows/known-fields.js';
import { Button } from '../../../widgets/inputs/button.js';
import { EmptyState } from '../../../widgets/states.js';
import styles from '../query.module.css';
import type { QueryStateAccess } from '../query-state.js';
import { openSaved } from '../sheets/saved-view.js';

const MOST_EXAMPLES = 5;

/** First questions about a dataset, from the fields that it has. */
function questionsOf(dataset: Catalogue['datasets'][number] | undefined): readonly string[] {
  if (dataset === undefined) return [];
  const name = datasetText(dataset.name);
  const split = splitField(dataset.fields);
  const by = split === undefined ? '' : `, ${fieldText(split)}`;
  return [`${name} | summarize count() by bin_auto(_time)${by}`];
}

/** Nothing has been asked yet. */
export function Unasked({
  access,
  onText,
}: {
  readonly access: QueryStateAccess;
  readonly onText: (text: string) => void;
}) {
  const catalogue = useCatalogue();
  const { data: saved = [] } = useSavedQueries();
  // What the server keeps about itself is not yet something to ask about.
  const datasets = (catalogue?.datasets ?? []).filter(({ name }) => !isOwn(name));
  if (catalogue !== undefined && datasets.length === 0) return <Navigate to={'/welcome' as string} replace />;
  return (
    <EmptyState title="Ask something">
      <p>
        A query is a dataset and steps. <kbd>Ctrl</kbd> <kbd>Enter</kbd> runs it.
      </p>
      <div className={styles.examples}>
        {[...datasets.slice(0, MOST_EXAMPLES).map(({ name }) => datasetText(name)), ...questionsOf(datasets[0])].map(
          (text) => (
            <Button key={text} className={styles.example} onPress={() => onText(text)}>
              {text}
            </Button>
          ),
        )}
      </div>
      {saved.length > 0 && (
        <>
          <p className={styles.examplesTitle}>Saved</p>
          <div className={styles.examples}>
            {saved.slice(0, MOST_EXAMPLES).map((each) => (
              <Button key={each.id} className={styles.example} onPress={() => openSaved(access, each)}>
                {each.name}
              </Button>
            ))}
          </div>
        </>
      )}
    </EmptyState>
  );
}

/** No rows: which nothing it is, and what to do about it. */
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
    return <EmptyState title="No rows">The query gives none. Its range: {rangeTitle(state, zone)}.</EmptyState>;
  if (data.inRange === 0)
    return (
      <EmptyState
        title={`No events of ${outline.source.name} in this range`}
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
        {data.newest === undefined
          ? 'The dataset has no events at all.'
          : `The newest is of ${zonedText(data.newest, zone, 3)}.`}
      </EmptyState>
    );
  return (
    <EmptyState title="The filters removed all events">
      <p>{data.inRange.toLocaleString('en')} events are in the range.</p>
      <ul className={styles.list}>
        {data.steps.map(({ start, end, left }) => (
          <li key={start} className={styles.finding}>
            <code>{state.q.slice(start, end)}</code>
            <span>leaves {left.toLocaleString('en')}</span>
            <Button small onPress={() => run(without(state.q, outline, { start, end }))}>
              Drop this one
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

/** How many events each condition leaves, by the conditions up to it. */
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
