import { X } from 'lucide-react';
import { useNow } from '../../../data/use-now.js';
import { MILLISECOND } from '../../../data/time/instants.js';
import { rangeTitle } from '../../../data/time/ranges.js';
import { zonedText } from '../../../data/time/zones.js';
import { IconButton } from '../../../widgets/inputs/button.js';
import { BarSpace } from '../../../widgets/page.js';
import type { Asking } from '../element-queries.js';
import styles from './tv.module.css';

/** Bar of the TV view: range, place in the rotation and clock. */
export function TvBar({
  asking,
  zone,
  place,
  onExit,
}: {
  readonly asking: Asking;
  readonly zone: string;
  /** `2 of 3` */
  readonly place: string | undefined;
  readonly onExit: () => void;
}) {
  return (
    <>
      <span className={styles.aside}>{rangeTitle(asking.range, zone)}</span>
      <BarSpace />
      {place !== undefined && <span className={styles.aside}>{place}</span>}
      <Clock zone={zone} />
      <IconButton label="Leave TV view" onPress={onExit}>
        <X />
      </IconButton>
    </>
  );
}

function Clock({ zone }: { readonly zone: string }) {
  const now = useNow();
  const text = zonedText(BigInt(now) * MILLISECOND, zone, 0);
  const [day, time] = text.split(' ');
  return (
    <time className={styles.clock} dateTime={new Date(now).toISOString()}>
      <small>{day}</small> {time} {zone !== 'local' && <small>{zone}</small>}
    </time>
  );
}
