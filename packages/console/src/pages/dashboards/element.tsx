import { Suspense, useMemo, useRef } from 'react';
import type { Answer } from '../../data/results/results.js';
import type { Range } from '../../data/time/ranges.js';
import { cx } from '../../widgets/class-names.js';
import { ErrorBoundary } from '../../widgets/error-boundary.js';
import { errorText, LoadingNotice } from '../../widgets/states.js';
import type { DashboardQueryRunner } from './query-runner.js';
import styles from './dashboard.module.css';
import { type Chart, ownRange, textMember } from './document/document.js';
import { kindOf } from './elements/element-table.js';
import { cutAt } from './document/max-series.js';
import { type DashboardState, queriesOf } from './element-queries.js';
import { useQueryState } from './use-runner.js';

/** Content of an element: its visualization, or the reason why there is none. */
export function Element({
  chart,
  asking,
  runner,
  zone,
  onRange,
}: {
  readonly chart: Chart;
  readonly asking: DashboardState;
  readonly runner: DashboardQueryRunner;
  readonly zone: string;
  readonly onRange: (range: Range) => void;
}) {
  const kind = kindOf(chart.type);
  const { main, earlier, problem } = useMemo(() => queriesOf(chart, kind, asking), [chart, kind, asking]);
  const asked = useQueryState(runner, main);
  const askedEarlier = useQueryState(runner, earlier?.question);
  // While a new range or filter loads, the previous result stays visible.
  const last = useRef<Answer>(undefined);
  if (asked?.answer !== undefined) last.current = asked.answer;
  const answer = asked?.answer ?? (asked?.error === undefined ? last.current : undefined);
  const narrowed = asked?.narrowed === true;
  const before = useMemo(
    () =>
      earlier === undefined || askedEarlier?.answer === undefined
        ? undefined
        : { answer: askedEarlier.answer, by: earlier.by, title: earlier.title },
    [earlier, askedEarlier?.answer],
  );
  const drawn = useMemo(() => {
    if (kind === undefined) return undefined;
    if (!kind.asks) return <kind.Draw chart={chart} />;
    if (answer === undefined) return undefined;
    if (answer.table.rows === 0 && chart.type !== 'Statistic') return <Trouble title="No data in this range" />;
    return <kind.Draw chart={chart} answer={answer} earlier={before} zone={zone} onRange={onRange} />;
  }, [kind, chart, answer, before, zone, onRange]);

  if (kind === undefined)
    return <Trouble title={`Unsupported element type “${chart.type}”`}>Its definition is preserved.</Trouble>;
  if (problem !== undefined) return <Trouble title={problem} />;
  if (asked?.error !== undefined && asked.answer === undefined)
    return (
      <Trouble title="The query failed" bad>
        {errorText(asked.error)}
      </Trouble>
    );
  if (drawn === undefined) return <LoadingNotice lines={3} />;
  const cut = kind.asks && answer !== undefined && !narrowed ? cutAt(answer, kind) : undefined;
  return (
    // A refresh keeps the previous result current; a new range or filter outdates it.
    <div
      className={cx(
        styles.drawn,
        kind.asks && (asked?.answer === undefined || asked.error !== undefined) && styles.old,
      )}
      aria-busy={asked?.running === true}
    >
      <ErrorBoundary
        title="This element failed"
        subject={drawn}
        fallback={(error) => <Trouble title="Cannot display this result">{errorText(error)}</Trouble>}
      >
        <Suspense fallback={<LoadingNotice lines={2} />}>{drawn}</Suspense>
      </ErrorBoundary>
      {asked?.error !== undefined && (
        <p className={styles.partial} role="status">
          Previous result: {errorText(asked.error)}
        </p>
      )}
      {answer?.head.status.isPartial === true && (
        <p className={styles.partial} role="status">
          Partial result
        </p>
      )}
      {(cut !== undefined || narrowed) && (
        <p className={styles.partial} role="status">
          {cut === undefined ? 'The largest series' : `The first ${cut.toLocaleString('en')}`}: there are more
        </p>
      )}
    </div>
  );
}

/** Placeholder of an element. */
const Trouble = ({
  title,
  children,
  bad = false,
}: {
  readonly title: string;
  readonly children?: string;
  readonly bad?: boolean;
}) => (
  <div className={cx(styles.trouble, bad && styles.bad)} role={bad ? 'alert' : undefined} tabIndex={0}>
    <strong>{title}</strong>
    {children !== undefined && <span>{children}</span>}
  </div>
);

/** Subtitle of an element: its own range, if any. */
export const ownRangeText = (chart: Chart): string | undefined => {
  const range = ownRange(chart);
  if (range === undefined) return undefined;
  return range.to === 'now' ? `last ${range.from.replace('now-', '')}` : 'custom range';
};

export const describedBy = (chart: Chart): string | undefined => textMember(chart, 'description');
