import { Trash2 } from 'lucide-react';
import { IconButton } from '../../../widgets/inputs/button.js';
import { Select } from '../../../widgets/inputs/select.js';
import styles from '../dashboard.module.css';
import { flagMember, membersOf, type Members, textMember } from '../document/document.js';
import {
  aplPathOf,
  filterKind,
  filterKinds,
  optionLines,
  withFilterKind,
  withOptionLines,
} from '../document/filter-properties.js';
import { withMember } from '../document/with-member.js';
import { TypedField } from './typed-field.js';

/** Title, kind and values of a filter. */
export function FilterForm({
  filter,
  index,
  applies,
  onChange,
}: {
  readonly filter: Members;
  readonly index: number;
  /** For a filter over a field: the elements that it applies to. */
  readonly applies: string;
  /** Undefined removes the filter. */
  readonly onChange: (filter: Members | undefined) => void;
}) {
  const id = textMember(filter, 'id') ?? '';
  const field = textMember(filter, 'field');
  const name = textMember(filter, 'name') ?? (id || `Filter ${index + 1}`);
  const kind = filterKind(filter);
  const path = aplPathOf(filter);
  const isMultiple = flagMember(filter, 'multiple') === true;
  const set = (at: readonly string[], value: unknown): void => onChange(withMember(filter, at, value));
  const values = (
    <>
      {kind !== 'search' && (
        <TypedField
          label="Options, one per line: label = value"
          value={optionLines(filter)}
          onChange={(text) => onChange(withOptionLines(filter, text))}
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
    </>
  );
  return (
    <fieldset className={styles.group}>
      <legend>{name}</legend>
      <div className={styles.options}>
        <TypedField label="Title" value={textMember(filter, 'name') ?? ''} onChange={(text) => set(['name'], text)} />
        {field === undefined && <TypedField label="Variable name" value={id} onChange={(text) => set(['id'], text)} />}
        <Select
          label="Type"
          value={kind}
          onChange={(next) => onChange(withFilterKind(filter, next))}
          choices={filterKinds}
        />
        {field === undefined && kind !== 'search' && (
          <Select
            label="Values"
            value={isMultiple ? 'several' : 'one'}
            onChange={(next) => set(['multiple'], next === 'several' ? true : undefined)}
            choices={[
              { id: 'one', title: 'One at a time' },
              { id: 'several', title: 'Several, as a list' },
            ]}
          />
        )}
        {field === undefined && values}
      </div>
      {field !== undefined && kind !== 'search' && (
        <details className={styles.details}>
          <summary>Options and their query</summary>
          <div className={styles.options}>{values}</div>
        </details>
      )}
      <p className={styles.used}>
        {field === undefined ? (
          <code>
            {isMultiple
              ? `declare query_parameters (${id}: dynamic = dynamic([])); … | where array_length(${id}) == 0 or field in (${id})`
              : `declare query_parameters (${id}: string = ''); … | where isempty(${id}) or field == ${id}`}
          </code>
        ) : (
          <span>
            {applies}: those whose dataset has <code>{field}</code>.
          </span>
        )}
        <IconButton small label={`Remove the filter ${name}`} onPress={() => onChange(undefined)}>
          <Trash2 />
        </IconButton>
      </p>
    </fieldset>
  );
}
