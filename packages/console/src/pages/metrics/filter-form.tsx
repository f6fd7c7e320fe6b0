import { conditionText, type FilterOperator } from '@millrace/mpl/editor';
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { useTagValues } from '../../data/metrics/metrics-api.js';
import type { Range } from '../../data/time/ranges.js';
import { Button } from '../../widgets/inputs/button.js';
import { Select } from '../../widgets/inputs/select.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { tagText } from './metric-series.js';
import styles from './metrics.module.css';

const operators: readonly { readonly id: FilterOperator; readonly title: string }[] = [
  { id: '==', title: '= is' },
  { id: '!=', title: '≠ is not' },
  { id: '=~', title: '~ matches' },
  { id: '!~', title: '≁ does not match' },
  { id: '>', title: '> above' },
  { id: '>=', title: '≥ at least' },
  { id: '<', title: '< below' },
  { id: '<=', title: '≤ at most' },
];

/** A condition on a tag, from a tag, a comparison and a value. */
export function FilterForm({
  dataset,
  metric,
  tags,
  range,
  onCondition,
}: {
  readonly dataset: string;
  readonly metric: string | undefined;
  readonly tags: readonly string[];
  readonly range: Range;
  readonly onCondition: (condition: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const [tag, setTag] = useState('');
  const [operator, setOperator] = useState<FilterOperator>('==');
  const [typed, setTyped] = useState('');
  const list = useId();
  const isAsked = open && tag !== '' && metric !== undefined;
  const values = useTagValues(isAsked ? { dataset, metric, tag } : undefined, range).data ?? [];
  const add = (): void => {
    if (tag === '' || typed === '') return;
    // A value of the list keeps its type.
    const known = values.find((value) => tagText(value) === typed);
    onCondition(conditionText(tag, operator, operator === '=~' || operator === '!~' ? typed : (known ?? typed)));
    setTyped('');
    setOpen(false);
  };
  if (!open)
    return (
      <Button small className={styles.add} onPress={() => setOpen(true)} disabled={tags.length === 0}>
        <Plus aria-hidden /> Filter
      </Button>
    );
  return (
    <form
      className={styles.filter}
      aria-label="New filter"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
      onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
    >
      <Select
        label="Tag"
        className={styles.choice}
        value={tag}
        choices={[...(tag === '' ? [{ id: '', title: 'Choose a tag' }] : []), ...tags.map((id) => ({ id, title: id }))]}
        onChange={setTag}
      />
      <Select label="Comparison" value={operator} choices={operators} onChange={setOperator} />
      <TextField label="Tag value" value={typed} onChange={setTyped} list={list} autoFocus className={styles.choice} />
      <datalist id={list}>
        {values.slice(0, MAX_VALUES).map((value) => (
          <option key={tagText(value)} value={tagText(value)} />
        ))}
      </datalist>
      <Button type="submit" small kind="primary" disabled={tag === '' || typed === ''}>
        Add
      </Button>
      <Button small kind="quiet" onPress={() => setOpen(false)}>
        Cancel
      </Button>
    </form>
  );
}

const MAX_VALUES = 200;
