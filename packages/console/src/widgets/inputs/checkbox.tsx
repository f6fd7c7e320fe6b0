import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import styles from './checkbox.module.css';

/** A checkbox; without children, `label` is its name. */
export const Checkbox = ({
  children,
  label,
  checked,
  onChange,
  disabled = false,
}: {
  readonly children?: ReactNode;
  readonly label?: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}) => (
  <AriaCheckbox
    className={styles.checkbox!}
    isSelected={checked}
    onChange={onChange}
    isDisabled={disabled}
    {...(label !== undefined && { 'aria-label': label })}
  >
    <span className={styles.box} aria-hidden>
      <Check />
    </span>
    {children}
  </AriaCheckbox>
);
