import { cx } from '../widgets/class-names.js';
import { type RunState, stateWords, type Stretch } from './run-states.js';
import styles from './state-strip.module.css';

/** Height per state, so that it does not depend on color alone. */
const heights: Readonly<Record<RunState, number>> = { ok: 40, open: 100, nodata: 75, error: 75, off: 20, none: 0 };

/** States over time. */
export const StateStrip = ({
  stretches,
  label,
  tall = false,
}: {
  readonly stretches: readonly Stretch[];
  readonly label: string;
  readonly tall?: boolean;
}) => (
  <span className={cx(styles.strip, tall && styles.tall)} role="img" aria-label={label}>
    {stretches.map(({ state, from, to }) => (
      <span
        key={from}
        className={cx(styles.stretch, styles[state])}
        style={{ left: `${100 * from}%`, width: `${100 * (to - from)}%`, height: `${heights[state]}%` }}
      />
    ))}
  </span>
);

/** A bar per recent run, newest at the right. */
export function RunStrip({ states, places }: { readonly states: readonly RunState[]; readonly places: number }) {
  const first = Math.max(0, places - states.length);
  const stretches = states.map((state, index) => ({
    state,
    from: (first + index + 0.06) / places,
    to: (first + index + 0.94) / places,
  }));
  return <StateStrip stretches={stretches} label={`Last ${states.length} runs: ${countsOf(states)}`} />;
}

const countsOf = (states: readonly RunState[]): string =>
  Object.entries(stateWords)
    .map(([state, words]) => [words, states.filter((each) => each === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([words, count]) => `${count} ${words}`)
    .join(', ') || 'none';

/** Legend of the colors. */
export const StateLegend = ({
  states,
  openWord = stateWords.open,
}: {
  readonly states: readonly RunState[];
  /** Word for `open`. */
  readonly openWord?: string | undefined;
}) => (
  <ul className={styles.legend} aria-label="States">
    {states.map((state) => (
      <li key={state} className={styles.entry}>
        <span className={cx(styles.swatch, styles[state])} aria-hidden />
        {state === 'open' ? openWord : stateWords[state]}
      </li>
    ))}
  </ul>
);
