import type { MenuGroup } from '../../../widgets/overlays/menu.js';
import { copyText } from '../../../widgets/copy-text.js';
import { fieldText } from '../../../data/apl-text.js';
import { textOf } from '../../../data/results/cells.js';
import { conditionText, groupedBy, withCondition } from '../../../editor/edits.js';
import type { Outline } from '../../../editor/outline.js';
import type { ClickedValue } from '../../../rows/value-menu.js';

interface Around {
  readonly text: string;
  readonly outline: Outline | undefined;
  /** Runs a changed query. */
  readonly run: (text: string) => void;
  readonly addColumn: (field: string) => void;
  /** Compares the events of a condition with the rest, or with those of another. */
  readonly compare: (condition: string, base?: string) => void;
  /** Current comparison; empty for none. */
  readonly selection: string;
  readonly whole: (row: number, field: string) => Promise<string>;
}

/** Query with a value included or excluded; undefined if it cannot be expressed. */
export function filterQuery(
  around: Pick<Around, 'text' | 'outline'>,
  pointed: ClickedValue,
  how: 'include' | 'exclude',
): string | undefined {
  const { text, outline } = around;
  const condition = conditionText(pointed.field, pointed.cell, pointed.type, how);
  return outline === undefined || condition === undefined ? undefined : withCondition(text, outline, condition);
}

/** Condition for a value; undefined if it cannot be expressed. */
export const conditionForValue = (pointed: ClickedValue | undefined): string | undefined =>
  pointed && conditionText(pointed.field, pointed.cell, pointed.type, 'include');

/** Actions on a value: edits of the query, and copies. */
export function valueActions(around: Around, pointed: ClickedValue): readonly MenuGroup[] {
  const { text, outline, run, addColumn, whole, compare, selection } = around;
  const { field, cell, type, row } = pointed;
  const condition = conditionText(field, cell, type, 'include');
  const filter = (how: 'include' | 'exclude') => (): void => {
    const next = filterQuery(around, pointed, how);
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
          title: 'Field exists',
          barred,
          run: () => outline && run(withCondition(text, outline, `isnotnull(${fieldText(field)})`)),
        },
        { id: 'group', title: 'Group by field', barred, run: () => outline && run(groupedBy(text, outline, field)) },
        {
          id: 'compare',
          title: 'Compare with other events',
          keys: 'x',
          barred: barred ?? (condition === undefined ? 'this value cannot be used as a filter' : undefined),
          run: () => condition !== undefined && compare(condition),
        },
        ...(selection !== '' && condition !== undefined && condition !== selection
          ? [{ id: 'compare-two', title: 'Compare the selection with it', run: () => compare(selection, condition) }]
          : []),
        { id: 'column', title: 'Add column', run: () => addColumn(field) },
      ],
    },
    {
      entries: [
        { id: 'copy', title: 'Copy value', run: () => void copy() },
        { id: 'copy-apl', title: 'Copy as filter', run: () => void copyText(condition ?? '', 'Copied') },
        { id: 'copy-name', title: 'Copy field name', run: () => void copyText(field, 'Copied') },
      ],
    },
  ];
}
