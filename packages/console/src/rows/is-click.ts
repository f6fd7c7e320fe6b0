import type { MouseEvent } from 'react';

/** Whether it is a click rather than a text selection. */
export function wasClick(event: MouseEvent): boolean {
  if (event.defaultPrevented) return false;
  const selection = globalThis.getSelection();
  return selection === null || selection.isCollapsed;
}
