import { countText, countOf } from '../../data/format-units.js';
import { usePreferences } from '../../data/preferences.js';
import { MILLISECOND } from '../../data/time/instants.js';
import { wallTime } from '../../data/time/zones.js';
import { Button } from '../../widgets/inputs/button.js';
import styles from './live.module.css';
import type { usePaused } from './use-paused.js';

/** Shows that the view is paused, and how many events have arrived since. */
export function PausedBar({ view: { at, newer, gone, resume } }: { readonly view: ReturnType<typeof usePaused> }) {
  const { zone } = usePreferences();
  return (
    <div className={styles.paused}>
      <span>
        Paused at {wallTime(BigInt(at) * MILLISECOND, zone).time} · <strong>{countText(newer)} newer</strong>
        {gone > 0 && ` · ${countOf(gone, 'event')} oldest events dropped from the buffer`}
      </span>
      <Button small onPress={resume}>
        Go on <kbd>Space</kbd>
      </Button>
    </div>
  );
}
