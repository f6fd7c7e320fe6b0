import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { RunChart } from '../../charts/run-chart.js';
import { numberText } from '../../charts/run-scale.js';
import { api } from '../../data/api.js';
import { usePreferences } from '../../data/preferences.js';
import { instantText, MINUTE, nowInstant } from '../../data/time/instants.js';
import { Button } from '../../widgets/inputs/button.js';
import { cx } from '../../widgets/class-names.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import { errorText } from '../../widgets/states.js';
import { sideOf } from './describe-monitor.js';
import {
  previewRuns,
  reevaluateRuns,
  type SpanId,
  spanFor,
  spans,
  suggestedThreshold,
  verdictOf,
} from './back-test.js';
import { bodyOf, type Draft, emptyDraft, numberIn, problemsOf } from './draft.js';
import styles from './monitors.module.css';

/** Idle time of the threshold before the server is queried. */
const REST_MILLISECONDS = 600;

interface Question {
  readonly draft: Draft;
  readonly span: SpanId;
  readonly end: bigint;
}

/**
 * Back-test of a draft: the server evaluates past runs over the data that had arrived by then. It
 * runs on request and after the threshold was moved; during the move, available runs are
 * re-evaluated locally.
 */
export function BackTest({
  draft,
  asked,
  onAsk,
  onChange,
}: {
  readonly draft: Draft;
  /** Counts requests. */
  readonly asked: number;
  readonly onAsk: () => void;
  readonly onChange: (change: Partial<Draft>) => void;
}) {
  const { zone } = usePreferences();
  const interval = Math.max(1, numberIn(draft.intervalMinutes) ?? 1);
  const [chosen, setChosen] = useState<SpanId>();
  const span = chosen ?? spanFor(interval);
  const [question, setQuestion] = useState<Question | undefined>(() =>
    (draft.mplQuery ?? draft.aplQuery).trim() === '' || draft.type === 'MatchEvent'
      ? undefined
      : { draft, span, end: nowInstant() },
  );
  const ask = (change: Partial<Question> = {}): void => setQuestion({ draft, span, end: nowInstant(), ...change });
  useEffect(() => {
    if (asked > 0) ask();
    // Run by key or button, not by other changes.
  }, [asked]);
  const [moved, setMoved] = useState<string>();
  useEffect(() => {
    if (moved === undefined) return undefined;
    const timer = setTimeout(() => {
      setMoved(undefined);
      setQuestion((before) => before && { ...before, draft: { ...draft, threshold: moved } });
    }, REST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [moved, draft]);
  const preview = useQuery({
    queryKey: ['monitor-preview', question && bodyOf(question.draft), question?.span, String(question?.end)],
    queryFn: ({ signal }) => api.call('previewMonitor', { body: requestOf(question!), signal }),
    enabled: question !== undefined && draft.type !== 'MatchEvent',
    placeholderData: keepPreviousData,
    retry: false,
  });
  // A new monitor starts with a threshold that is rarely exceeded.
  const untouched = useRef(draft.name === '' && draft.threshold === emptyDraft.threshold);
  const first =
    draft.type === 'Threshold' && preview.data !== undefined
      ? suggestedThreshold(preview.data.runs, draft.operator)
      : undefined;
  useEffect(() => {
    if (first === undefined || !untouched.current) return;
    untouched.current = false;
    if (draft.threshold !== emptyDraft.threshold) return;
    onChange({ threshold: String(first) });
    setMoved(String(first));
    // Once, with the first result.
  }, [first]);
  if (draft.type === 'MatchEvent')
    return (
      <p className={styles.hint}>
        There is no back-test of matches:{' '}
        <Link to={'/query' as string} search={{ q: draft.aplQuery, from: 'now-1d' } as never}>
          see which events of the last day match
        </Link>
        . A monitor tells of ten a minute at most.
      </p>
    );
  const { data, error, isFetching, isPlaceholderData } = preview;
  const isOld = question !== undefined && JSON.stringify(bodyOf(question.draft)) !== JSON.stringify(bodyOf(draft));
  const onlyThreshold =
    question !== undefined &&
    JSON.stringify(bodyOf({ ...question.draft, threshold: draft.threshold })) === JSON.stringify(bodyOf(draft));
  const again = data === undefined || !onlyThreshold ? undefined : reevaluateRuns(data.runs, draft);
  const runs = (isOld || isFetching ? again : undefined) ?? previewRuns(data?.runs ?? []);
  const verdict = verdictOf({
    runs,
    interval: interval * 60_000,
    isCurrent: again !== undefined || (!isOld && !isPlaceholderData),
    isRunning: isFetching,
    complete: data?.complete === true,
  });
  const threshold = numberIn(draft.threshold);
  const suggested = data === undefined ? undefined : suggestedThreshold(data.runs, draft.operator);
  const isFit = problemsOf({ ...draft, name: 'm' });
  return (
    <section className={styles.boxes} aria-labelledby="back-test" aria-busy={isFetching}>
      <div className={cx(styles.line, styles.middle)}>
        <h2 id="back-test" className={styles.heading}>
          Back-test
        </h2>
        <SegmentedInput
          label="How far back"
          value={span}
          choices={spans}
          onChange={(next) => {
            setChosen(next);
            ask({ span: next });
          }}
        />
        <Button disabled={Object.keys(isFit).length > 0} onPress={onAsk} hint="Ctrl+Enter in the query">
          {data === undefined ? 'Run back-test' : 'Run again'}
        </Button>
        {draft.type === 'Threshold' && suggested !== undefined && (
          <Button
            kind="quiet"
            hint="99 of 100 of these runs stay on the quiet side of it"
            onPress={() => {
              onChange({ threshold: String(suggested) });
              setMoved(String(suggested));
            }}
          >
            Suggest {numberText(suggested)}
          </Button>
        )}
      </div>
      {error !== null && !isFetching && (
        <p className={styles.problem} role="alert">
          {errorText(error)}
        </p>
      )}
      {question === undefined && data === undefined && (
        <p className={styles.hint}>
          {draft.mplQuery === undefined
            ? 'Repeats past runs with the events that had arrived by then.'
            : 'Repeats past runs with the points of their time range.'}
        </p>
      )}
      {isFetching && data === undefined && <p className={styles.hint}>Making the runs of the past…</p>}
      {data !== undefined && error === null && (
        <>
          <p className={cx(styles.verdict, verdict.stale && styles.stale)} role="status">
            {verdict.text} <small>{verdict.note}</small>
          </p>
          <RunChart
            runs={verdict.stale ? runs.map((run) => ({ ...run, state: 'none' as const })) : runs}
            label="What it would have found"
            interval={interval * 60_000}
            zone={zone}
            threshold={
              draft.type === 'Threshold' && threshold !== undefined
                ? {
                    value: threshold,
                    opens: sideOf(draft.operator),
                    onMove: (value) => onChange({ threshold: String(value) }),
                    onMoved: (value) => setMoved(String(value)),
                  }
                : undefined
            }
          />
          {!isOld && data.notifications.length > 0 && (
            <details>
              <summary>
                {data.notifications.length} {data.notifications.length === 1 ? 'message' : 'messages'} would have been
                sent
              </summary>
              <ol className={styles.messages} tabIndex={0}>
                {data.notifications.slice(0, 100).map(({ time, action, body }, index) => (
                  <li key={index}>
                    {time.slice(0, 16).replace('T', ' ')} · {action} · {body}
                  </li>
                ))}
              </ol>
            </details>
          )}
        </>
      )}
    </section>
  );
}

function requestOf({ draft, span, end }: Question) {
  const { minutes } = spans.find(({ id }) => id === span)!;
  return {
    // Tested as if enabled.
    monitor: { ...bodyOf({ ...draft, disabled: false, disabledUntil: undefined }), notifierIds: [] },
    // Points of metrics do not record when they arrived.
    ...(draft.mplQuery !== undefined && { ignoreArrival: true }),
    startTime: instantText(end - BigInt(minutes) * MINUTE),
    endTime: instantText(end),
  };
}
