import { useState } from 'react';
import { useCatalog } from '../../../data/catalog.js';
import { Button } from '../../../widgets/inputs/button.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import styles from '../dashboard.module.css';

const MAX_FIELDS = 24;

/** A field of the datasets of a dashboard. */
interface KnownField {
  readonly name: string;
  /** The dataset with the most elements. */
  readonly dataset: string;
  /** Elements whose dataset has the field. */
  readonly elements: number;
}

/** Fields that a dashboard can be filtered by: those of its datasets, the most used first. */
export function useKnownFields(elementDatasets: readonly string[] | undefined): readonly KnownField[] {
  const datasets = useCatalog()?.datasets ?? [];
  const counts = new Map<string, number>();
  for (const name of elementDatasets ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isUsed = datasets.filter(({ name }) => counts.has(name));
  // A dashboard without elements may be filtered by any field.
  const own = isUsed.length > 0 ? isUsed : datasets.filter(({ locked }) => !locked);
  const fields = new Map<string, KnownField>();
  for (const { name: dataset, fields: all } of own.toSorted(
    (a, b) => (counts.get(b.name) ?? 0) - (counts.get(a.name) ?? 0),
  ))
    for (const { name, hidden } of all) {
      if (hidden || name === '_time' || name === '_sysTime') continue;
      const before = fields.get(name);
      const elements = (before?.elements ?? 0) + (counts.get(dataset) ?? 0);
      fields.set(name, before === undefined ? { name, dataset, elements } : { ...before, elements });
    }
  return [...fields.values()].toSorted((a, b) => b.elements - a.elements || a.name.localeCompare(b.name, 'en'));
}

/** Picks a field by part of its name. */
export function FieldChoice({
  fields,
  total,
  onChosen,
}: {
  readonly fields: readonly KnownField[];
  /** Elements with a query. */
  readonly total: number;
  readonly onChosen: (field: KnownField) => void;
}) {
  const [typed, setTyped] = useState('');
  const found = fields.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()));
  const choose = (field: KnownField): void => {
    setTyped('');
    onChosen(field);
  };
  return (
    <div className={styles.form} role="group" aria-label="Filter by a field">
      <TextField
        label="Filter by field"
        type="search"
        placeholder="Part of its name"
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => event.key === 'Enter' && found[0] !== undefined && choose(found[0])}
      />
      {found.length === 0 && <p className={styles.nothing}>No matching fields</p>}
      <ul className={styles.fields} aria-label="Fields">
        {found.slice(0, MAX_FIELDS).map((field) => (
          <li key={field.name}>
            <Button small onPress={() => choose(field)}>
              <span className={styles.fieldName}>{field.name}</span>
              {total > 0 && (
                <small>
                  {field.elements} of {total}
                </small>
              )}
            </Button>
          </li>
        ))}
      </ul>
      {found.length > MAX_FIELDS && (
        <p className={styles.nothing}>{found.length - MAX_FIELDS} more: type part of a name</p>
      )}
    </div>
  );
}
