import { useEffect, useRef, useState } from 'react';
import { countOf, countText } from '../../data/amounts.js';
import type { TailState } from '../../data/tail/tail-messages.js';
import { Sparkline } from '../../widgets/sparkline.js';
import styles from './live.module.css';
import { positionText } from './standing-words.js';

/** So many seconds of rates are shown. */
const SECONDS = 60;
const SAY_MILLISECONDS = 10_000;

/** What the tail can prove: from where to where it has everything. */
export function TailFigures({ state }: { readonly state: TailState | undefined }) {
  // The second that is not over yet would always look like a fall.
  const rates = state?.rates.slice(0, -1) ?? [];
  return (
    <div className={styles.figures}>
      <span>
        {state?.position === undefined ? (
          'Nothing settled yet'
        ) : (
          <>
            Everything up to <strong>{positionText(state.position)}</strong> · 0 missed
            {state.since !== undefined && <> since {positionText(state.since)}</>}
          </>
        )}
      </span>
      <span>{countOf(state?.next ?? 0, 'event')}</span>
      {(state?.first ?? 0) > 0 && <span>the oldest {countText(state!.first)} are no longer kept here</span>}
      <span className={styles.rate}>
        <span>{countText(rates.at(-1) ?? 0)}/s</span>
        <span className={styles.spark}>
          <Sparkline values={rates} least={SECONDS} />
        </span>
      </span>
      <Spoken state={state} />
    </div>
  );
}

/** Screen readers hear a count now and then, never the lines. */
function Spoken({ state }: { readonly state: TailState | undefined }) {
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
