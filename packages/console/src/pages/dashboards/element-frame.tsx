import type { KeyboardEvent, ReactNode } from 'react';
import { visibleText } from '../../data/results/visible-text.js';
import { cx } from '../../widgets/class-names.js';
import type { MenuGroup } from '../../widgets/overlays/menu.js';
import { MoreMenu } from '../../widgets/overlays/more-menu.js';
import styles from './dashboard.module.css';
import { type Chart, flagMember, shownName } from './document/document.js';
import { describedBy, ownRangeText } from './element.js';
import { kindOf } from './elements/element-table.js';

/** Frame of an element: name, menu and content. */
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
  /** The conditions of the dashboard do not apply to its dataset. */
  readonly unfiltered: boolean;
  readonly groups: readonly MenuGroup[];
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}) {
  const kind = kindOf(chart.type);
  const name = shownName(chart);
  const shown = name || (kind?.title ?? chart.type);
  const bare = kind?.bare === true;
  const headless =
    !editing && (bare || flagMember(chart, 'hideHeader') === true || (kind?.asks === false && name === ''));
  const own = ownRangeText(chart);
  // An element of one row has no space for a header.
  const isFlat = editing && kind?.size[1] === 1;
  return (
    <section
      role="group"
      className={cx(styles.frame, bare && styles.bare, moving && styles.moving, isFlat && styles.flat)}
      aria-label={shown}
      // Keyboard moves happen in place; Tab goes to the next element.
      tabIndex={editing ? 0 : undefined}
      aria-roledescription={editing ? 'element, m moves it' : undefined}
      onKeyDown={onKeyDown}
    >
      {!headless && (
        <header className={styles.head} {...(editing && { 'data-handle': true })}>
          <h2 className={styles.name} title={visibleText(describedBy(chart) ?? shown)}>
            {shown}
          </h2>
          {own !== undefined && <span className={styles.own}>{own}</span>}
          {unfiltered && <span className={styles.own}>not filtered</span>}
          <span className={styles.menu}>
            <MoreMenu small label={`More: ${shown}`} groups={groups} />
          </span>
        </header>
      )}
      <div className={cx(styles.content, headless && styles.headless)}>{children}</div>
    </section>
  );
}
