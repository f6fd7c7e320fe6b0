import { useMemo } from 'react';
import { cx } from '../../../widgets/class-names.js';
import styles from '../dashboard.module.css';
import type { BoardDocument } from '../document/document.js';
import { lineDiff } from '../document/line-diff.js';

const signs = { same: ' ', added: '+', removed: '−', skipped: ' ' } as const;

/** Line diff of two documents. */
export function Diff({
  before,
  after,
  label,
}: {
  readonly before: BoardDocument;
  readonly after: BoardDocument;
  readonly label: string;
}) {
  const lines = useMemo(
    () => lineDiff(JSON.stringify(before, null, 2), JSON.stringify(after, null, 2)),
    [before, after],
  );
  return (
    <div className={styles.diff} role="group" aria-label={label} tabIndex={0}>
      {lines.map(({ kind, text }, index) => (
        <div key={index} className={cx(kind !== 'same' && styles[kind])}>
          {signs[kind]} {text}
        </div>
      ))}
    </div>
  );
}
