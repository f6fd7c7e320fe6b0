import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import styles from './segmented.module.css';

/** A choice of two to five visible options. */
export const SegmentedInput = <T extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly { readonly id: T; readonly title: string }[];
  readonly onChange: (value: T) => void;
}) => (
  <ToggleButtonGroup
    aria-label={label}
    className={styles.group!}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={(keys) => {
      const chosen = choices.find(({ id }) => keys.has(id));
      if (chosen !== undefined) onChange(chosen.id);
    }}
  >
    {choices.map(({ id, title }) => (
      <ToggleButton key={id} id={id} className={styles.choice!}>
        {title}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);
