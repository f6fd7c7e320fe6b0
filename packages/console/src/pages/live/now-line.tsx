import { parseInstant } from '../../data/time/instants.js';
import { wallTime } from '../../data/time/zones.js';
import styles from './live.module.css';

/** The line between the events before the page was opened and those since. */
export function NowLine({
  startedAt,
  zone,
  isTop,
  error,
}: {
  readonly startedAt: string | undefined;
  readonly zone: string;
  readonly isTop: boolean;
  /** Why the earlier events are missing. */
  readonly error: Error | undefined;
}) {
  const instant = startedAt === undefined ? undefined : parseInstant(startedAt);
  return (
    <span role="gridcell" className={styles.now}>
      <span className={styles.nowText}>
        <strong>now</strong>
        {instant !== undefined && ` ${wallTime(instant, zone).time}`} · new events {isTop ? 'above' : 'below'}
        {error !== undefined && ` · earlier events could not be loaded: ${error.message}`}
      </span>
    </span>
  );
}
