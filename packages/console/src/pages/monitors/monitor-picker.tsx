import { useMonitors } from '../../data/alerts.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { Select } from '../../widgets/inputs/select.js';
import styles from './monitors.module.css';

/** Chooses other monitors: the chosen ones, and a list to add from. */
export function MonitorPicker({
  label,
  ids,
  onChange,
}: {
  readonly label: string;
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}) {
  const monitors = useMonitors().data ?? [];
  const others = monitors.filter(({ id }) => !ids.includes(id));
  return (
    <div className={styles.boxes} role="group" aria-label={label}>
      <Select
        label={label}
        value=""
        choices={[
          { id: '', title: ids.length === 0 ? 'None' : 'Add a monitor' },
          ...others.map(({ id, name }) => ({ id, title: name })),
        ]}
        onChange={(id) => id !== '' && onChange([...ids, id])}
      />
      {ids.map((id) => (
        <Checkbox key={id} checked onChange={() => onChange(ids.filter((each) => each !== id))}>
          {monitors.find((each) => each.id === id)?.name ?? id}
        </Checkbox>
      ))}
    </div>
  );
}
