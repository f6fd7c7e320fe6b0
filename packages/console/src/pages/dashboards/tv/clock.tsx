import { useNow } from '../../../data/use-now.js';
import { MILLISECOND } from '../../../data/time/instants.js';
import { zonedText } from '../../../data/time/zones.js';
import styles from './tv.module.css';

/** Day and time of a display that is read from afar. */
export function Clock({ zone }: { readonly zone: string }) {
  const now = useNow();
  const text = zonedText(BigInt(now) * MILLISECOND, zone, 0);
  const [day, time] = text.split(' ');
  return (
    <time className={styles.clock} dateTime={new Date(now).toISOString()}>
      <small>{day}</small> {time} {zone !== 'local' && <small>{zone}</small>}
    </time>
  );
}
