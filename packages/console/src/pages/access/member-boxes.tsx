import { Checkbox } from '../../widgets/inputs/checkbox.js';
import styles from './access.module.css';

/** Which of them belong to it. */
export const MemberBoxes = ({
  title,
  items,
  chosen,
  onChange,
}: {
  readonly title: string;
  readonly items: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) => (
  <fieldset className={styles.boxes}>
    <legend className={styles.label}>{title}</legend>
    {items.map(({ id, name }) => (
      <Checkbox
        key={id}
        checked={chosen.includes(id)}
        onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((each) => each !== id))}
      >
        {name}
      </Checkbox>
    ))}
    {items.length === 0 && <span className={styles.quiet}>There are none.</span>}
  </fieldset>
);
