import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type PressEvent } from 'react-aria-components/Button';
import { useMay } from '../../data/catalog.js';
import { type RequiredPermission, needText } from '../../data/permissions.js';
import styles from './button.module.css';
import { cx } from '../class-names.js';
import { Hint } from '../overlays/tooltip.js';

interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: (event: PressEvent) => void;
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly small?: boolean;
  readonly disabled?: boolean;
  /** Required permission. Without it the button can be focused, is disabled and explains why. */
  readonly needs?: RequiredPermission | undefined;
  /** Reason why it cannot be used now. It can be focused, is disabled and explains why. */
  readonly unavailable?: string | undefined;
  /** Tooltip. */
  readonly hint?: ReactNode;
  /** Accessible name, if the children are not text. */
  readonly label?: string;
  readonly type?: 'button' | 'submit';
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly autoFocus?: boolean;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ needs, unavailable, hint, ...props }: ButtonProps) {
  const permitted = useMay(needs);
  const allowed = permitted && unavailable === undefined;
  const tip = permitted || needs === undefined ? (unavailable ?? hint) : needText(needs);
  const button = <PlainButton {...props} allowed={allowed} />;
  // Always wrapped if it may get a tooltip: remounting when permissions load would lose the focus.
  return tip === undefined && needs === undefined ? button : <Hint text={tip}>{button}</Hint>;
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
}: Omit<ButtonProps, 'needs' | 'unavailable' | 'hint'> & { readonly allowed: boolean }) {
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

/** An icon button; `label` is its name and tooltip. */
export const IconButton = ({
  label,
  kind = 'quiet',
  className,
  ...props
}: Omit<ButtonProps, 'hint' | 'label'> & { readonly label: string }) => (
  <Button {...props} kind={kind} label={label} hint={label} className={cx(styles.icon, className)} />
);
