import { type ReactNode, useState } from 'react';
import { countText } from '../../data/amounts.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import styles from './access.module.css';

/** Of more than so many nobody finds one by looking. */
const MANY = 20;
/** More boxes than that are found by name. */
const MOST_SHOWN = 50;

/** Which of them belong to it. */
export function MemberBoxes({
  title,
  items,
  chosen,
  onChange,
  children,
}: {
  readonly title: string;
  readonly items: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** What stands before them. */
  readonly children?: ReactNode;
}) {
  const [find, setFind] = useState('');
  const has = new Set(chosen);
  const wanted = find.toLowerCase();
  // Those that are chosen stay in view, whatever somebody looks for.
  const found = items.filter(({ id, name }) => has.has(id) || name.toLowerCase().includes(wanted));
  const shown = found.toSorted((a, b) => Number(has.has(b.id)) - Number(has.has(a.id))).slice(0, MOST_SHOWN);
  return (
    <fieldset className={styles.boxes}>
      <legend className={styles.label}>{title}</legend>
      {children}
      {items.length > MANY && (
        <TextField
          label={`Find in ${title}`}
          bare
          type="search"
          placeholder={`Find among ${countText(items.length)}`}
          value={find}
          onChange={setFind}
        />
      )}
      {(items.length > MANY ? shown : items).map(({ id, name }) => (
        <Checkbox
          key={id}
          checked={has.has(id)}
          onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((each) => each !== id))}
        >
          {name}
        </Checkbox>
      ))}
      {found.length > shown.length && (
        <span className={styles.quiet}>and {countText(found.length - shown.length)} more</span>
      )}
      {items.length === 0 && children === undefined && <span className={styles.quiet}>There are none.</span>}
    </fieldset>
  );
}
