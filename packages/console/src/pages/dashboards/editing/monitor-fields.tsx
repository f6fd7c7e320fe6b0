import { useMonitors } from '../../../data/alerts.js';
import { Checkbox } from '../../../widgets/inputs/checkbox.js';
import styles from '../dashboard.module.css';
import { type Chart, flagMember, membersOf } from '../document/document.js';

const columns = { status: 'State', history: 'Last runs', dataset: 'Dataset', type: 'Kind', notifiers: 'Notifiers' };

/** Monitors of a list, and the columns it shows. */
export function MonitorFields({
  chart,
  onChange,
}: {
  readonly chart: Chart;
  readonly onChange: (path: readonly string[], value: unknown) => void;
}) {
  const monitors = useMonitors().data ?? [];
  const chosen = Array.isArray(chart['selectedMonitors']) ? (chart['selectedMonitors'] as readonly unknown[]) : [];
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Monitors (default: all)</legend>
        {monitors.map(({ id, name }) => (
          <Checkbox
            key={id}
            checked={chosen.includes(id)}
            onChange={(is) =>
              onChange(['selectedMonitors'], is ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          >
            {name}
          </Checkbox>
        ))}
        {monitors.length === 0 && <p>There is no monitor yet.</p>}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Columns</legend>
        {Object.entries(columns).map(([name, title]) => (
          <Checkbox
            key={name}
            checked={flagMember(membersOf(chart['columns']), name) !== false}
            onChange={(is) => onChange(['columns', name], is)}
          >
            {title}
          </Checkbox>
        ))}
      </fieldset>
    </>
  );
}
