import { unitNames, unitTitle } from '../../../charts/units.js';
import { Select } from '../../../widgets/inputs/select.js';
import styles from '../query.module.css';
import { type QueryStateAccess } from '../query-state.js';

const kindTitles = { line: 'Lines', area: 'Areas', bar: 'Bars', scatter: 'Points' } as const;
const decimals = ['0', '1', '2', '3', '4'] as const;

/** How the result is drawn, kept in the address. */
export function ChartOptions({
  access: { state, change },
  fitting,
}: {
  readonly access: QueryStateAccess;
  /** The kind that fits the result. */
  readonly fitting: keyof typeof kindTitles;
}) {
  return (
    <div className={styles.chartOptions} role="group" aria-label="Chart options">
      <Select
        label="Kind"
        value={state.kind}
        onChange={(kind) => change({ kind })}
        choices={[
          { id: 'auto', title: `${kindTitles[fitting]} (automatic)` },
          ...Object.entries(kindTitles).map(([id, title]) => ({ id: id as keyof typeof kindTitles, title })),
        ]}
      />
      <Select
        label="Stacking"
        value={state.stack}
        onChange={(stack) => change({ stack })}
        choices={[
          { id: 'auto', title: 'Automatic' },
          { id: 'on', title: 'Stacked' },
          { id: 'off', title: 'Not stacked' },
        ]}
      />
      <Select
        label="Unit"
        value={state.unit}
        onChange={(unit) => change({ unit })}
        choices={[
          { id: '', title: 'None' },
          ...unitNames.filter((id) => id !== 'Auto').map((id) => ({ id, title: unitTitle(id) })),
        ]}
      />
      <Select
        label="Decimals"
        value={state.digits}
        onChange={(digits) => change({ digits })}
        choices={[{ id: '', title: 'Automatic' }, ...decimals.map((id) => ({ id, title: id }))]}
      />
      <Select
        label="Legend"
        value={state.legend}
        onChange={(legend) => change({ legend })}
        choices={[
          { id: 'names', title: 'Names' },
          { id: 'numbers', title: 'Names and numbers' },
        ]}
      />
    </div>
  );
}
