import { type ReactNode, useState } from 'react';
import { countText } from '../../data/format-units.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import styles from './access.module.css';

/** Longer lists get a filter. */
const MANY = 20;
/** Maximum visible boxes; the rest is found by name. */
const MAX_SHOWN = 50;

/** Selected members. */
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
  /** Content in front of them. */
  readonly children?: ReactNode;
}) {
  const [find, setFind] = useState('');
  const has = new Set(chosen);
  const wanted = find.toLowerCase();
  // Selected members stay visible whatever the filter.
  const found = items.filter(({ id, name }) => has.has(id) || name.toLowerCase().includes(wanted));
  const shown = found.toSorted((a, b) => Number(has.has(b.id)) - Number(has.has(a.id))).slice(0, MAX_SHOWN);
  return (
    <fieldset className={styles.boxes}>
      <legend className={styles.label}>{title}</legend>
      {children}
      {items.length > MANY && (
        <TextField
          label={`Find in ${title}`}
          bare
          type="search"
          placeholder={`Search ${countText(items.length)}`}
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
      {items.length === 0 && children === undefined && <span className={styles.quiet}>None</span>}
    </fieldset>
  );
}
