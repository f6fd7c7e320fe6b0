import { textOf } from '../../../data/results/cells.js';
import { conditionText } from '../../../editor/edits.js';
import type { ClickedValue } from '../../../rows/value-menu.js';

/** Conditions from clicked values, applied to every element whose dataset has the field. */
export interface Condition {
  readonly field: string;
  /** As in a query. */
  readonly text: string;
}

/** In an address: field and condition, so that parsing needs no APL. */
export const conditionParam = ({ field, text }: Condition): string => `${encodeURIComponent(field)} ${text}`;

export function conditionOf(param: string): Condition | undefined {
  const [, field, text] = /^(\S+) ([^]+)$/.exec(param) ?? [];
  try {
    return field === undefined || text === undefined ? undefined : { field: decodeURIComponent(field), text };
  } catch {
    return undefined;
  }
}

export function conditionOn({ field, cell, type }: ClickedValue, how: 'include' | 'exclude'): Condition | undefined {
  const text = conditionText(field, cell, type, how);
  return text === undefined ? undefined : { field, text };
}

export const valueText = ({ cell }: ClickedValue): string => (cell === null ? 'null' : textOf(cell));
