import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type PressEvent } from 'react-aria-components/Button';
import { useMay } from '../../data/catalogue.js';
import { type Need, needText } from '../../data/rights.js';
import styles from './button.module.css';
import { cx } from '../class-names.js';
import { Hint } from '../overlays/hint.js';

interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: (event: PressEvent) => void;
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly small?: boolean;
  readonly disabled?: boolean;
  /**
   * The right that it takes. Without it the button can be focused, does nothing, and says what it
   * needs.
   */
  readonly needs?: Need | undefined;
  /** What to say when the pointer rests on it. */
  readonly hint?: ReactNode;
  /** The accessible name, if the children are no text. */
  readonly label?: string;
  readonly type?: 'button' | 'submit';
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly autoFocus?: boolean;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ needs, hint, ...props }: ButtonProps) {
  const allowed = useMay(needs);
  const said = allowed || needs === undefined ? hint : needText(needs);
  const button = <PlainButton {...props} allowed={allowed} />;
  // Wrapped as long as there may be a hint: a button that is made anew when rights become known
  // would lose the focus.
  return hint === undefined && needs === undefined ? button : <Hint text={said}>{button}</Hint>;
}

function PlainButton({
  children,
  onPress,
  kind = 'plain',
  small = false,
  disabled = false,
  allowed,
  label,
  type = 'button',
  pressed,
  expanded,
  autoFocus,
  className,
  ref,
}: Omit<ButtonProps, 'needs' | 'hint'> & { readonly allowed: boolean }) {
  return (
    <AriaButton
      {...(ref !== undefined && { ref })}
      type={allowed ? type : 'button'}
      isDisabled={disabled}
      className={cx(styles.button, styles[kind], small && styles.small, !allowed && styles.barred, className)}
      {...(allowed && onPress !== undefined && { onPress })}
      {...(!allowed && { 'aria-disabled': true })}
      {...(label !== undefined && { 'aria-label': label })}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      {...(expanded !== undefined && { 'aria-expanded': expanded })}
      {...(autoFocus === true && { autoFocus })}
    >
      {children}
    </AriaButton>
  );
}

/** A button that is an icon; `label` is its name and its hint. */
export const IconButton = ({
  label,
  kind = 'quiet',
  className,
  ...props
}: Omit<ButtonProps, 'hint' | 'label'> & { readonly label: string }) => (
  <Button {...props} kind={kind} label={label} hint={label} className={cx(styles.icon, className)} />
);
