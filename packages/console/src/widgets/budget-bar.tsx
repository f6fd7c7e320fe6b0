import { budgetLevel, percentText, type SloBudget } from '../data/alerting/slos.js';
import styles from './budget-bar.module.css';

/** How much of an error budget is left, as a number and a bar. */
export function BudgetBar({ budget }: { readonly budget: Pick<SloBudget, 'remaining' | 'total'> }) {
  const level = budgetLevel(budget);
  if (level === 'none') return <span className={styles.none}>no events</span>;
  const { remaining } = budget;
  const width = Math.max(0, Math.min(1, remaining)) * 100;
  return (
    <span className={styles.budget} data-level={level}>
      <span className={styles.number}>{percentText(remaining)}</span>
      <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden>
        <rect width={100} height={6} className={styles.track} />
        <rect width={width} height={6} className={styles.left} />
      </svg>
    </span>
  );
}
