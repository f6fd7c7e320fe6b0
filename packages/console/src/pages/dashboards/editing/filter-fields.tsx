import { Plus } from 'lucide-react';
import { Button } from '../../../widgets/inputs/button.js';
import styles from '../dashboard.module.css';
import { type Chart, membersOf, type Members, textMember } from '../document/document.js';
import { fieldFilter } from '../document/field-filters.js';
import { freshFilter } from '../document/filter-properties.js';
import { FieldChoice, useKnownFields } from './field-choice.js';
import { FilterForm } from './filter-form.js';
import { useElementDatasets } from './use-element-datasets.js';

/** Filters of a filter bar: by a field, or by a variable that queries declare. */
export function FilterFields({
  chart,
  charts,
  onChange,
}: {
  readonly chart: Chart;
  /** All elements of the dashboard. */
  readonly charts: readonly Chart[];
  readonly onChange: (path: readonly string[], value: unknown) => void;
}) {
  const datasets = useElementDatasets(charts);
  const fields = useKnownFields(datasets);
  const total = datasets?.length ?? 0;
  const filters = Array.isArray(chart['filters']) ? chart['filters'].map(membersOf) : [];
  const add = (filter: Members): void => onChange(['filters'], [...filters, filter]);
  const put = (index: number, next: Members | undefined): void =>
    onChange(
      ['filters'],
      filters.flatMap((each, at) => (at !== index ? [each] : next === undefined ? [] : [next])),
    );
  return (
    <>
      {filters.map((filter, index) => {
        const name = textMember(filter, 'field');
        const found = fields.find((field) => field.name === name);
        return (
          <FilterForm
            key={index}
            filter={filter}
            index={index}
            applies={`Applies to ${found?.elements ?? 0} of ${total} elements`}
            onChange={(next) => put(index, next)}
          />
        );
      })}
      <FieldChoice
        fields={fields.filter(({ name }) => !filters.some(({ field }) => field === name))}
        total={total}
        onChosen={({ dataset, name }) => add(fieldFilter(filters, dataset, name))}
      />
      <div className={styles.row}>
        <Button kind="quiet" onPress={() => add(freshFilter(filters))}>
          <Plus aria-hidden /> Add a filter with a variable
        </Button>
      </div>
    </>
  );
}
