import type { ReactElement, ReactNode } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import styles from './tooltip.module.css';

/** Tooltip on hover and focus; none if the text is undefined. */
export const Hint = ({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }) => (
  <TooltipTrigger delay={500} closeDelay={80} isDisabled={text === undefined}>
    {children}
    <Tooltip className={styles.hint!} offset={6}>
      {text}
    </Tooltip>
  </TooltipTrigger>
);
