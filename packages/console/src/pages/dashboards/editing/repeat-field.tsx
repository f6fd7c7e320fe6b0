import { Select } from '../../../widgets/inputs/select.js';
import { type Chart, textMember } from '../document/document.js';
import { filtersOf } from '../document/filters.js';

/** Chooses the filter whose values an element is repeated for. */
export function RepeatField({
  chart,
  charts,
  onChange,
}: {
  readonly chart: Chart;
  /** All elements of the dashboard. */
  readonly charts: readonly Chart[];
  readonly onChange: (path: readonly string[], value: unknown) => void;
}) {
  const filters = charts.flatMap(filtersOf).filter(({ kind }) => kind === 'select');
  const chosen = textMember(chart, 'repeat') ?? '';
  if (filters.length === 0 && chosen === '') return null;
  const isMissing = chosen !== '' && !filters.some(({ id }) => id === chosen);
  return (
    <Select
      label="Repeat for each value of"
      value={chosen}
      onChange={(id) => onChange(['repeat'], id === '' ? undefined : id)}
      choices={[
        { id: '', title: 'Not repeated' },
        ...filters.map(({ id, name }) => ({ id, title: name })),
        ...(isMissing ? [{ id: chosen, title: `${chosen} (no such filter)` }] : []),
      ]}
    />
  );
}
