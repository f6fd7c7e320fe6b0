import type { MouseEvent } from 'react';

/**
 * Whether the pointer was only pressed and let go: somebody who selects text wants to copy it, and
 * nothing to open.
 */
export function wasClick(event: MouseEvent): boolean {
  if (event.defaultPrevented) return false;
  const selection = globalThis.getSelection();
  return selection === null || selection.isCollapsed;
}
