import type { Cell } from '../data/results/cells.js';
import { cx } from '../widgets/class-names.js';
import { levelOf } from './known-fields.js';
import styles from './log-row.module.css';

/** Level of an event as a letter and a stripe; empty if the value is not a level. */
export function LevelMark({ cell, role }: { readonly cell: Cell; readonly role?: 'gridcell' | 'cell' }) {
  const level = cell === null ? undefined : levelOf(cell);
  return (
    <span role={role} className={cx(styles.level, level !== undefined && styles[level.tone])}>
      {level?.letter ?? ''}
    </span>
  );
}
