import type { Bounds } from '../data/time/ranges.js';
import { keyCaps } from '../data/keys.js';
import { Button } from '../widgets/inputs/button.js';
import styles from './histogram.module.css';

/** An action on a selected range. */
export interface RangeAction {
  readonly id: string;
  readonly title: string;
  /** Active while the chart has focus. */
  readonly key: string;
  readonly run: (bounds: Bounds) => void;
}

/** Actions for the selected range. */
export const SelectionBar = ({
  bounds,
  middle,
  top,
  actions,
  onDone,
}: {
  readonly bounds: Bounds;
  /** Position as a fraction of the range. */
  readonly middle: number;
  /** Below the bars, in pixels from their top. */
  readonly top: number;
  readonly actions: readonly RangeAction[];
  readonly onDone: () => void;
}) => (
  <div className={styles.below} style={{ top: `calc(0.5rem + ${top}px)` }}>
    {/* Clamped to the edges at any width. */}
    <span style={{ flexGrow: middle }} />
    <div className={styles.actions} role="toolbar" aria-label="Time range actions">
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
