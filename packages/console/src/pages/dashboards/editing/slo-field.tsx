import { useSlos } from '../../../data/alerting/slos.js';
import { Select } from '../../../widgets/inputs/select.js';
import type { Chart } from '../document/document.js';

/** Chooses the objective of an element. */
export function SloField({
  chart,
  onChange,
}: {
  readonly chart: Chart;
  readonly onChange: (path: readonly string[], value: unknown) => void;
}) {
  const slos = useSlos().data ?? [];
  const chosen = typeof chart['sloId'] === 'string' ? chart['sloId'] : '';
  return (
    <Select
      label="SLO"
      value={chosen}
      choices={[{ id: '', title: 'The first one' }, ...slos.map(({ id, name }) => ({ id, title: name }))]}
      onChange={(id) => onChange(['sloId'], id)}
    />
  );
}
