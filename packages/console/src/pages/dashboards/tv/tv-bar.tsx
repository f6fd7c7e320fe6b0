import { X } from 'lucide-react';
import { rangeTitle } from '../../../data/time/ranges.js';
import { IconButton } from '../../../widgets/inputs/button.js';
import { BarSpace } from '../../../widgets/page.js';
import type { DashboardState } from '../element-queries.js';
import { Clock } from './clock.js';
import styles from './tv.module.css';

/** Bar of the TV view: range, place in the rotation and clock. */
export function TvBar({
  asking,
  zone,
  place,
  onExit,
}: {
  readonly asking: DashboardState;
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
