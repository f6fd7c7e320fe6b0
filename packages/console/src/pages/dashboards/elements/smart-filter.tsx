import { useState } from 'react';
import { MultiSelect } from '../../../widgets/inputs/multi-select.js';
import { Select } from '../../../widgets/inputs/select.js';
import { errorText } from '../../../widgets/states.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import type { ElementQueryState } from '../query-runner.js';
import { useBoardView } from '../dashboard-view.js';
import { valuesIn, valuesText } from '../document/several-values.js';
import { filterOptions } from '../document/filter-options.js';
import { type Filter, filtersOf } from '../document/filters.js';
import styles from './elements.module.css';
import type { ElementKind, StaticElementProps } from './element-kind.js';

/** Filters: over a field, or with a variable that queries of the dashboard declare. */
function SmartFilter({ chart }: StaticElementProps) {
  const { filterTexts, setFilter, optionsOf } = useBoardView();
  const filters = filtersOf(chart);
  if (filters.length === 0)
    return <p className={styles.why}>No filters yet: edit the filter bar and choose a field.</p>;
  return (
    <div className={styles.filters} role="group" aria-label="Filters">
      {filters.map((filter) =>
        filter.kind === 'search' ? (
          <Search
            key={`${filter.id} ${filterTexts[filter.id] ?? ''}`}
            filter={filter}
            value={filterTexts[filter.id] ?? ''}
            onChange={(value) => setFilter(filter.id, value)}
          />
        ) : (
          <Choice
            key={filter.id}
            filter={filter}
            asked={optionsOf(filter)}
            value={filterTexts[filter.id] ?? ''}
            onChange={(value) => setFilter(filter.id, value)}
          />
        ),
      )}
    </div>
  );
}

interface FilterProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Commits on Enter or blur: otherwise each character would be a query. */
function Search({ filter, value, onChange }: FilterProps) {
  const [typed, setTyped] = useState(value);
  const commit = (): void => {
    if (typed !== value) onChange(typed);
  };
  return (
    <TextField
      label={filter.name}
      type="search"
      value={typed}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}

/** A listbox renders all its options. */
const MAX_OPTIONS = 500;

function Choice({ filter, asked, value, onChange }: FilterProps & { readonly asked: ElementQueryState | undefined }) {
  const { answer, error } = asked ?? {};
  const options = filterOptions(filter, answer);
  const note = error !== undefined && <p className={styles.why}>{errorText(error)}</p>;
  if (filter.isMultiple) {
    const chosen = valuesIn(value);
    const titles = new Map(options.map((option) => [option.value, option.label]));
    const choices = [...new Set([...titles.keys(), ...chosen])];
    return (
      <div>
        <MultiSelect
          label={filter.name}
          values={chosen}
          all="All"
          choices={choices.filter((each) => each !== '').slice(0, MAX_OPTIONS)}
          titleOf={(each) => titles.get(each) ?? each}
          onChange={(next) => onChange(valuesText(next))}
        />
        {note}
      </div>
    );
  }
  // Shows the value from the link even if it is not among the options.
  const shown = options.some((option) => option.value === value)
    ? options
    : [...options, { label: value === '' ? 'All' : value, value }];
  return (
    <div>
      <Select
        label={filter.name}
        value={`=${value}`}
        choices={shown
          .slice(0, MAX_OPTIONS)
          .map((option) => ({ id: `=${option.value}`, title: option.label || 'All' }))}
        onChange={(id) => onChange(id.slice(1))}
      />
      {note}
    </div>
  );
}

export const smartFilter: ElementKind = {
  title: 'Filter bar',
  about: 'Filters for all elements: pick a field.',
  size: [12, 1],
  asks: false,
  isFirst: true,
  starter: { filters: [] },
  Draw: SmartFilter,
};
