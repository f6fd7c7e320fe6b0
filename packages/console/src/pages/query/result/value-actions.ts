import type { MenuGroup } from '../../../widgets/overlays/menu.js';
import { copyText } from '../../../widgets/copy-text.js';
import { fieldText } from '../../../data/apl-text.js';
import { textOf } from '../../../data/answers/cells.js';
import { conditionText, groupedBy, withCondition } from '../../../editor/edits.js';
import type { Outline } from '../../../editor/outline.js';
import type { Pointed } from '../../../rows/value-menu.js';

interface Around {
  readonly text: string;
  readonly outline: Outline | undefined;
  /** Runs a changed query. */
  readonly run: (text: string) => void;
  readonly addColumn: (field: string) => void;
  /** Compares what a condition selects with the rest, or with what another one selects. */
  readonly compare: (condition: string, base?: string) => void;
  /** What is compared at present; empty if nothing is. */
  readonly selection: string;
  readonly whole: (row: number, field: string) => Promise<string>;
}

/** The query with a value included or excluded; undefined where that cannot be written. */
export function filtered(
  around: Pick<Around, 'text' | 'outline'>,
  pointed: Pointed,
  how: 'include' | 'exclude',
): string | undefined {
  const { text, outline } = around;
  const condition = conditionText(pointed.field, pointed.cell, pointed.type, how);
  return outline === undefined || condition === undefined ? undefined : withCondition(text, outline, condition);
}

/** The condition that selects the events with a value; undefined where that cannot be written. */
export const comparable = (pointed: Pointed | undefined): string | undefined =>
  pointed && conditionText(pointed.field, pointed.cell, pointed.type, 'include');

/** What can be done with a value: every entry edits the query, or copies. */
export function valueActions(around: Around, pointed: Pointed): readonly MenuGroup[] {
  const { text, outline, run, addColumn, whole, compare, selection } = around;
  const { field, cell, type, row } = pointed;
  const condition = conditionText(field, cell, type, 'include');
  const filter = (how: 'include' | 'exclude') => (): void => {
    const next = filtered(around, pointed, how);
    if (next !== undefined) run(next);
  };
  const barred = outline?.source === undefined ? 'the query has no dataset' : undefined;
  const copy = async (): Promise<void> => {
    await copyText(row === undefined ? textOf(cell) : await whole(row, field), 'Copied');
  };
  return [
    {
      title: field,
      entries: [
        { id: 'include', title: 'Include', keys: 'i', run: filter('include'), barred },
        { id: 'exclude', title: 'Exclude', keys: 'o', run: filter('exclude'), barred },
        {
          id: 'exists',
          title: 'Only events that have the field',
          barred,
          run: () => outline && run(withCondition(text, outline, `isnotnull(${fieldText(field)})`)),
        },
        { id: 'group', title: 'Group by it', barred, run: () => outline && run(groupedBy(text, outline, field)) },
        {
          id: 'compare',
          title: 'Compare with the rest',
          keys: 'x',
          barred: barred ?? (condition === undefined ? 'it cannot be written as a condition' : undefined),
          run: () => condition !== undefined && compare(condition),
        },
        ...(selection !== '' && condition !== undefined && condition !== selection
          ? [{ id: 'compare-two', title: 'Compare the selection with it', run: () => compare(selection, condition) }]
          : []),
        { id: 'column', title: 'Add as a column', run: () => addColumn(field) },
      ],
    },
    {
      entries: [
        { id: 'copy', title: 'Copy value', run: () => void copy() },
        { id: 'copy-apl', title: 'Copy as a condition', run: () => void copyText(condition ?? '', 'Copied') },
        { id: 'copy-name', title: 'Copy the name of the field', run: () => void copyText(field, 'Copied') },
      ],
    },
  ];
}
