import type { Bounds } from '../data/time/ranges.js';
import { keyCaps } from '../data/keys.js';
import { Button } from '../widgets/inputs/button.js';
import styles from './histogram.module.css';

/** What can be done with a part of the range. */
export interface RangeAction {
  readonly id: string;
  readonly title: string;
  /** Works while the bars have the focus. */
  readonly key: string;
  readonly run: (bounds: Bounds) => void;
}

/** Over a part of the range that somebody dragged over: what to do with it. */
export const SelectionBar = ({
  bounds,
  middle,
  top,
  actions,
  onDone,
}: {
  readonly bounds: Bounds;
  /** Where it stands, as a share of the range. */
  readonly middle: number;
  /** Below the bars, in pixels from their top. */
  readonly top: number;
  readonly actions: readonly RangeAction[];
  readonly onDone: () => void;
}) => (
  <div className={styles.below} style={{ top: `calc(0.5rem + ${top}px)` }}>
    {/* However wide it is, it never stands beyond an edge. */}
    <span style={{ flexGrow: middle }} />
    <div className={styles.actions} role="toolbar" aria-label="What to do with the selected time">
      {actions.map(({ id, title, key, run }) => (
        <Button
          key={id}
          small
          kind="quiet"
          onPress={() => {
            onDone();
            run(bounds);
          }}
        >
          {title} <kbd aria-hidden>{keyCaps(key).join(' ')}</kbd>
        </Button>
      ))}
    </div>
    <span style={{ flexGrow: 1 - middle }} />
  </div>
);
