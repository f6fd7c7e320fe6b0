import { useEffect, useRef, useState } from 'react';
import { countOf, countText } from '../../data/format-units.js';
import type { TailState } from '../../data/tail/tail-messages.js';
import { Sparkline } from '../../widgets/sparkline.js';
import styles from './live.module.css';
import { positionText } from './connection-status.js';

/** Seconds of rates shown. */
const SECONDS = 60;
const SAY_MILLISECONDS = 10_000;

/** The range that the tail covers without gaps. */
export function TailFigures({ state }: { readonly state: TailState | undefined }) {
  // The current second is incomplete and would look like a drop.
  const rates = state?.rates.slice(0, -1) ?? [];
  return (
    <div className={styles.figures}>
      <span>
        {state?.position === undefined ? (
          'Waiting for events'
        ) : (
          <>
            Complete up to batch <strong>{positionText(state.position)}</strong> · 0 missed
            {state.since !== undefined && <> since batch {positionText(state.since)}</>}
          </>
        )}
      </span>
      <span>{countOf(state?.next ?? 0, 'new event')}</span>
      {(state?.first ?? 0) > 0 && <span>the oldest {countText(state!.first)} dropped from the buffer</span>}
      <span className={styles.rate}>
        <span>{countText(rates.at(-1) ?? 0)}/s</span>
        <span className={styles.spark}>
          <Sparkline values={rates} min={SECONDS} />
        </span>
      </span>
      <TailStatsText state={state} />
    </div>
  );
}

/** Announces a count now and then instead of each line. */
function TailStatsText({ state }: { readonly state: TailState | undefined }) {
  const latest = useRef(state);
  latest.current = state;
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setInterval(() => setSaid(countOf(latest.current?.next ?? 0, 'event')), SAY_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="unseen" role="status">
      {said}
    </span>
  );
}
