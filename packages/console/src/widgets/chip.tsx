import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './chip.module.css';
import { cx } from './class-names.js';
import { IconButton } from './inputs/button.js';

type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info' | 'accent';

/** A small label; with `onRemove`, it can be removed. */
export const Chip = ({
  children,
  tone = 'plain',
  onRemove,
  removeLabel = 'Remove',
}: {
  readonly children: ReactNode;
  readonly tone?: Tone;
  readonly onRemove?: () => void;
  readonly removeLabel?: string;
}) => (
  <span className={cx(styles.chip, styles[tone])}>
    {children}
    {onRemove !== undefined && (
      <IconButton small label={removeLabel} onPress={onRemove}>
        <X />
      </IconButton>
    )}
  </span>
);
