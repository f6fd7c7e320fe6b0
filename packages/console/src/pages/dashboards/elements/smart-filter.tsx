import { useState } from 'react';
import { textOf } from '../../../data/results/cells.js';
import { MultiSelect } from '../../../widgets/inputs/multi-select.js';
import { Select } from '../../../widgets/inputs/select.js';
import { errorText } from '../../../widgets/states.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import type { ElementQueryState } from '../query-runner.js';
import { useBoardView } from '../dashboard-view.js';
import { valuesIn, valuesText } from '../document/several-values.js';
import { type Filter, filtersOf } from '../document/filters.js';
import styles from './elements.module.css';
import type { ElementKind, StaticElementProps } from './element-kind.js';

/** Filters: over a field, or with a variable that queries of the dashboard declare. */
function SmartFilter({ chart }: StaticElementProps) {
  const { filterValues, setFilter, optionsOf } = useBoardView();
  const filters = filtersOf(chart);
  if (filters.length === 0)
    return <p className={styles.why}>No filters yet: edit the filter bar and choose a field.</p>;
  return (
    <div className={styles.filters} role="group" aria-label="Filters">
      {filters.map((filter) =>
        filter.kind === 'search' ? (
          <Search
            key={`${filter.id} ${filterValues[filter.id] ?? ''}`}
            filter={filter}
            value={filterValues[filter.id] ?? ''}
            onChange={(value) => setFilter(filter.id, value)}
          />
        ) : (
          <Choice
            key={filter.id}
            filter={filter}
            asked={optionsOf(filter)}
            value={filterValues[filter.id] ?? ''}
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
  const done = (): void => {
    if (typed !== value) onChange(typed);
  };
  return (
    <TextField
      label={filter.name}
      type="search"
      value={typed}
      onChange={setTyped}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  );
}

/** A listbox renders all its options. */
const MAX_OPTIONS = 500;

function Choice({ filter, asked, value, onChange }: FilterProps & { readonly asked: ElementQueryState | undefined }) {
  const { answer, error } = asked ?? {};
  const column = (name: string, other: number): readonly string[] => {
    const at = answer?.table.head.fields.findIndex((field) => field.name === name) ?? -1;
    return (answer?.table.columns[at < 0 ? other : at] ?? []).map(textOf);
  };
  const [labels, values] = [column('key', 0), column('value', 0)];
  const found = [
    ...filter.options,
    ...values.map((each, row) => ({ label: labels[row] || each, value: each })),
    // Shows the value from the link even if it is not among the options.
    { label: value === '' ? 'All' : value, value },
  ];
  // Of duplicate values the first counts and keeps its position.
  const unique = found.filter((option, index) => found.findIndex((each) => each.value === option.value) === index);
  const note = error !== undefined && <p className={styles.why}>{errorText(error)}</p>;
  if (filter.field !== undefined) {
    const chosen = valuesIn(value);
    const choices = [...new Set([...filter.options.map((option) => option.value), ...values, ...chosen])];
    return (
      <div>
        <MultiSelect
          label={filter.name}
          values={chosen}
          all="All"
          choices={choices.filter((each) => each !== '').slice(0, MAX_OPTIONS)}
          onChange={(next) => onChange(valuesText(next))}
        />
        {note}
      </div>
    );
  }
  return (
    <div>
      <Select
        label={filter.name}
        value={`=${value}`}
        choices={unique
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
