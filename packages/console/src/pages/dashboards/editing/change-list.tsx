import { useMemo } from 'react';
import styles from '../dashboard.module.css';
import type { BoardDocument } from '../document/document.js';
import { changesBetween } from './changes.js';
import { Diff } from './diff.js';

/** Changes in words, and the JSON behind them on demand. */
export function ChangeList({
  before,
  after,
  label,
}: {
  readonly before: BoardDocument;
  readonly after: BoardDocument;
  readonly label: string;
}) {
  const changes = useMemo(() => changesBetween(before, after), [before, after]);
  return (
    <div className={styles.form} role="group" aria-label={label}>
      <ul className={styles.changes}>
        {changes.map((change, index) => (
          <li key={index}>{change}</li>
        ))}
        {changes.length === 0 && <li>No changes</li>}
      </ul>
      <details className={styles.details}>
        <summary>Changes as JSON</summary>
        <Diff before={before} after={after} label={`${label} as JSON`} />
      </details>
    </div>
  );
}
