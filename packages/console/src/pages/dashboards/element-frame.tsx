import { Ellipsis } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { IconButton } from '../../widgets/inputs/button.js';
import { cx } from '../../widgets/class-names.js';
import { Menu, type MenuGroup } from '../../widgets/overlays/menu.js';
import styles from './board.module.css';
import { type Chart, flagMember, nameOf } from './document/document.js';
import { describedBy, ownRangeText } from './element.js';
import { kindOf } from './elements/element-table.js';

/** The frame of an element: its name, its menu, and whatever it shows. */
export function ElementFrame({
  chart,
  editing,
  moving,
  unfiltered,
  groups,
  onKeyDown,
  children,
}: {
  readonly chart: Chart;
  readonly editing: boolean;
  readonly moving: boolean;
  /** The conditions of the board are not about its dataset. */
  readonly unfiltered: boolean;
  readonly groups: readonly MenuGroup[];
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}) {
  const kind = kindOf(chart.type);
  const name = nameOf(chart);
  const shown = name || (kind?.title ?? chart.type);
  const bare = kind?.bare === true;
  const headless =
    !editing && (bare || flagMember(chart, 'hideHeader') === true || (kind?.asks === false && name === ''));
  const own = ownRangeText(chart);
  // One row has no room for a head above what it shows.
  const isFlat = editing && kind?.size[1] === 1;
  return (
    <section
      role="group"
      className={cx(styles.frame, bare && styles.bare, moving && styles.moving, isFlat && styles.flat)}
      aria-label={shown}
      // By key an element is moved where it stands; Tab leads from one to the next.
      tabIndex={editing ? 0 : undefined}
      aria-roledescription={editing ? 'element, m moves it' : undefined}
      onKeyDown={onKeyDown}
    >
      {!headless && (
        <header className={styles.head} {...(editing && { 'data-handle': true })}>
          <h2 className={styles.name} title={describedBy(chart) ?? shown}>
            {shown}
          </h2>
          {own !== undefined && <span className={styles.own}>{own}</span>}
          {unfiltered && <span className={styles.own}>not filtered</span>}
          <span className={styles.menu}>
            <Menu
              label={`${shown}: what to do with it`}
              button={
                <IconButton small label={`More: ${shown}`}>
                  <Ellipsis />
                </IconButton>
              }
              groups={groups}
            />
          </span>
        </header>
      )}
      <div className={cx(styles.content, headless && styles.headless)}>{children}</div>
    </section>
  );
}
