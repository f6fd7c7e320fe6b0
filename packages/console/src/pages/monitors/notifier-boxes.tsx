import type { Notifier } from '../../data/alerts.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import styles from './monitors.module.css';

/** Choice of notifiers. */
export function NotifierBoxes({
  notifiers,
  ids,
  onChange,
}: {
  readonly notifiers: readonly Notifier[];
  readonly ids: readonly string[];
  readonly onChange: (ids: string[]) => void;
}) {
  if (notifiers.length === 0) return <p className={styles.hint}>No notifiers yet</p>;
  return notifiers.map(({ id, name }) => (
    <Checkbox
      key={id}
      checked={ids.includes(id)}
      onChange={(checked) => onChange(checked ? [...ids, id] : ids.filter((each) => each !== id))}
    >
      {name}
    </Checkbox>
  ));
}
