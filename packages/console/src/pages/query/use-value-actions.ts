import { useCallback, useMemo } from 'react';
import type { MenuGroup } from '../../widgets/overlays/menu.js';
import { askLanguage } from '../../editor/language.js';
import type { Outline } from '../../editor/outline.js';
import { leadingColumns } from '../../rows/event-columns.js';
import type { FieldRoles } from '../../rows/field-roles.js';
import { columnsOf, columnText } from '../../rows/table-columns.js';
import type { ClickedValue } from '../../rows/value-menu.js';
import type { QueryStateAccess } from './query-state.js';
import type { RowPointer } from './result/use-row-pointer.js';
import { conditionForValue, filterQuery, valueActions } from './result/value-actions.js';
import type { Result } from './use-result.js';

interface Options {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly outline: Outline | undefined;
  readonly pointer: RowPointer;
  readonly roles: FieldRoles;
  /** Field whose values split the histogram. */
  readonly by: string | undefined;
  /** Runs a changed query. */
  readonly run: (text: string) => void;
}

/** Columns of the page, and what menus and keys do with a value of them. */
export function useValueActions({ access: { state, change }, result, outline, pointer, roles, by, run }: Options) {
  const { source } = result;
  const columns = useMemo(() => columnsOf(state.c, source.fields), [state.c, source]);
  const toggleColumn = (field: string): void => {
    const without = columns.filter(({ name }) => name !== field);
    const isAdded = without.length === columns.length;
    const first = columns.length === 0 && field !== '_time' ? leadingColumns(source, roles) : [];
    change({ c: isAdded ? [...first, ...state.c, field] : without.map(columnText) });
  };
  const compare = useCallback((sel: string, base = '') => change({ sel, base, v: 'spotlight' }), [change]);
  const filter = async (value: ClickedValue | undefined, how: 'include' | 'exclude'): Promise<void> => {
    // The user may be faster than the worker that parses the query.
    const known = outline ?? (await askLanguage('outline', state.q));
    const next = value && filterQuery({ text: state.q, outline: known }, value, how);
    if (next !== undefined) run(next);
  };
  /** Value for keyboard commands: the first column of the current row. */
  const current = (): ClickedValue | undefined => {
    const { fields } = source;
    // Groups have no field to split the bars by.
    const field = columns[0]?.name ?? (fields.some(({ name }) => name === by) ? by : fields[0]?.name);
    if (pointer.active === undefined || field === undefined) return undefined;
    const type = fields.find(({ name }) => name === field)?.type ?? 'string';
    return { field, type, cell: source.cell(pointer.active, field) };
  };
  const groupsOf = (value: ClickedValue): readonly MenuGroup[] =>
    valueActions(
      {
        text: state.q,
        outline,
        run,
        addColumn: toggleColumn,
        whole: source.whole,
        compare,
        selection: state.v === 'spotlight' ? state.sel : '',
      },
      value,
    );
  return {
    columns,
    toggleColumn,
    compare,
    filter,
    groupsOf,
    filterCurrent: (how: 'include' | 'exclude') => void filter(current(), how),
    compareCurrent: () => {
      const condition = conditionForValue(current());
      if (condition !== undefined) compare(condition);
    },
  };
}
