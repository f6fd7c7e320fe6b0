import { Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../../widgets/inputs/button.js';
import { Select } from '../../../widgets/inputs/select.js';
import styles from '../dashboard.module.css';
import { type Chart, membersOf, type Members, textMember } from '../document/document.js';
import { withMember } from '../document/edits.js';
import {
  aplPathOf,
  filterKind,
  filterKinds,
  freshFilter,
  optionLines,
  withFilterKind,
  withOptionLines,
} from '../document/filter-properties.js';
import { TypedField } from './typed-field.js';

/** Filters of a filter bar: title, kind and query parameter. */
export function FilterFields({
  chart,
  onChange,
}: {
  readonly chart: Chart;
  readonly onChange: (path: readonly string[], value: unknown) => void;
}) {
  const filters = Array.isArray(chart['filters']) ? chart['filters'].map(membersOf) : [];
  const put = (index: number, next: Members | undefined): void =>
    onChange(
      ['filters'],
      filters.flatMap((each, at) => (at !== index ? [each] : next === undefined ? [] : [next])),
    );
  return (
    <>
      {filters.map((filter, index) => {
        const id = textMember(filter, 'id') ?? '';
        const name = textMember(filter, 'name') ?? (id || `Filter ${index + 1}`);
        const kind = filterKind(filter);
        const path = aplPathOf(filter);
        const set = (at: readonly string[], value: unknown): void => put(index, withMember(filter, at, value));
        return (
          <fieldset key={index} className={styles.group}>
            <legend>{name}</legend>
            <div className={styles.options}>
              <TypedField
                label="Title"
                value={textMember(filter, 'name') ?? ''}
                onChange={(text) => set(['name'], text)}
              />
              <TypedField label="Variable name" value={id} onChange={(text) => set(['id'], text)} />
              <Select
                label="Type"
                value={kind}
                onChange={(next) => put(index, withFilterKind(filter, next))}
                choices={filterKinds}
              />
              {kind !== 'search' && (
                <TypedField
                  label="Options, one per line: label = value"
                  value={optionLines(filter)}
                  onChange={(text) => put(index, withOptionLines(filter, text))}
                  lines={4}
                />
              )}
              {kind === 'query' && (
                <TypedField
                  label="Query returning columns key and value"
                  value={textMember(membersOf(filter[path[0]]), 'apl') ?? ''}
                  onChange={(text) => set(path, text)}
                  lines={3}
                  mono
                />
              )}
            </div>
            <p className={styles.used}>
              <code>{`declare query_parameters (${id}: string = ''); … | where isempty(${id}) or field == ${id}`}</code>
              <IconButton small label={`Remove the filter ${name}`} onPress={() => put(index, undefined)}>
                <Trash2 />
              </IconButton>
            </p>
          </fieldset>
        );
      })}
      <Button onPress={() => onChange(['filters'], [...filters, freshFilter(filters)])}>
        <Plus aria-hidden /> Add a filter
      </Button>
    </>
  );
}
