import type { ReactElement, ReactNode } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import styles from './hint.module.css';

/**
 * What a control says when the pointer rests on it or it has the focus; nothing if the text is
 * undefined.
 */
export const Hint = ({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }) => (
  <TooltipTrigger delay={500} closeDelay={80} isDisabled={text === undefined}>
    {children}
    <Tooltip className={styles.hint!} offset={6}>
      {text}
    </Tooltip>
  </TooltipTrigger>
);
