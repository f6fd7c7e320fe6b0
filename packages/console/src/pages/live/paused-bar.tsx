import { countText, countOf } from '../../data/amounts.js';
import { useTaste } from '../../data/taste.js';
import { MILLISECOND } from '../../data/time/instants.js';
import { wallTime } from '../../data/time/zones.js';
import { Button } from '../../widgets/inputs/button.js';
import styles from './live.module.css';
import type { usePaused } from './use-paused.js';

/** Says that the view stands still while events come, and how many. */
export function PausedBar({ view: { at, newer, gone, resume } }: { readonly view: ReturnType<typeof usePaused> }) {
  const { zone } = useTaste();
  return (
    <div className={styles.paused}>
      <span>
        Paused at {wallTime(BigInt(at) * MILLISECOND, zone).time} · <strong>{countText(newer)} newer</strong>
        {gone > 0 && ` · the oldest ${countOf(gone, 'event')} in view are gone: more are not kept`}
      </span>
      <Button small onPress={resume}>
        Go on <kbd>Space</kbd>
      </Button>
    </div>
  );
}
