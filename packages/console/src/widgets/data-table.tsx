import { ArrowDown, ArrowUp, Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import {
  Cell,
  Column,
  Row,
  type Selection,
  type SortDescriptor,
  Table,
  TableBody,
  TableHeader,
} from 'react-aria-components/Table';
import { countText } from '../data/format-units.js';
import { cx } from './class-names.js';
import { Button } from './inputs/button.js';
import { useNarrow } from './use-narrow-screen.js';
import checkbox from './inputs/checkbox.module.css';
import styles from './data-table.module.css';

export interface DataColumn<T> {
  readonly id: string;
  readonly title: string;
  readonly cell: (item: T) => ReactNode;
  /** Sort key; without it the column is not sortable. */
  readonly by?: (item: T) => string | number | bigint;
  readonly align?: 'start' | 'end';
  /** Row header for screen readers. */
  readonly isName?: boolean;
  readonly width?: number;
  /** The title is for screen readers only. */
  readonly unseen?: boolean;
  /** Hidden in a narrow window. */
  readonly aside?: boolean;
}

/** Many times faster than `localeCompare`, which looks up the locale for each pair. */
const words = new Intl.Collator();

/** Sort order in the address: `name`, or `-name` for descending. */
function sortItems<T>(items: readonly T[], columns: readonly DataColumn<T>[], sort: string): readonly T[] {
  const by = columns.find(({ id }) => id === sort.replace(/^-/, ''))?.by;
  if (by === undefined) return items;
  const sign = sort.startsWith('-') ? -1 : 1;
  return items.toSorted((a, b) => {
    const [x, y] = [by(a), by(b)];
    return sign * (typeof x === 'string' && typeof y === 'string' ? words.compare(x, y) : x < y ? -1 : x > y ? 1 : 0);
  });
}

/**
 * React keys of rows and columns share a namespace; a row may be named like a column, such as a
 * field `name`.
 */
const ROW = 'row:';
const rowKey = (id: string): string => ROW + id;
const idOfRow = (key: string | number): string => String(key).slice(ROW.length);

/** Initial rows; more would block the page. */
export const MAX_ROWS = 200;

/**
 * A table for fully loaded lists of some hundreds of rows, more on demand. Query results use the
 * grid in `rows/`.
 */
export function DataTable<T>({
  label,
  columns: all,
  items,
  idOf,
  sort,
  onSort,
  onOpen,
  selected,
  onSelected,
  onShown,
  empty,
}: {
  readonly label: string;
  readonly columns: readonly DataColumn<T>[];
  readonly items: readonly T[];
  readonly idOf: (item: T) => string;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onOpen?: (item: T) => void;
  /** IDs of selected rows; without it, rows are not selectable. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelected?: (selected: ReadonlySet<string>) => void;
  /** Called with the visible rows, so that others need not be loaded. */
  readonly onShown?: (ids: readonly string[]) => void;
  readonly empty?: ReactNode;
}) {
  const [max, setMost] = useState(MAX_ROWS);
  const narrow = useNarrow();
  const columns = narrow ? all.filter(({ aside }) => aside !== true) : all;
  const descriptor: SortDescriptor = {
    column: sort.replace(/^-/, ''),
    direction: sort.startsWith('-') ? 'descending' : 'ascending',
  };
  const shown = sortItems(items, columns, sort).slice(0, max);
  const shownIds = shown.map(idOf).join('\n');
  const onShownRef = useRef(onShown);
  onShownRef.current = onShown;
  useEffect(() => onShownRef.current?.(shownIds === '' ? [] : shownIds.split('\n')), [shownIds]);
  const names = columns.some(({ isName }) => isName) ? undefined : columns[0]?.id;
  return (
    <div className={styles.scroll}>
      <Table
        aria-label={label}
        className={styles.table!}
        sortDescriptor={descriptor}
        onSortChange={({ column, direction }) => {
          // The largest numbers matter most.
          const isFirst = column !== descriptor.column && columns.find(({ id }) => id === column)?.align === 'end';
          onSort(`${isFirst || direction === 'descending' ? '-' : ''}${column}`);
        }}
        {...(selected !== undefined && {
          selectionMode: 'multiple' as const,
          selectedKeys: [...selected].map(rowKey),
          onSelectionChange: (keys: Selection) =>
            onSelected?.(new Set(keys === 'all' ? shown.map(idOf) : [...keys].map(idOfRow))),
        })}
        {...(onOpen !== undefined && {
          onRowAction: (key) => {
            const item = items.find((each) => idOf(each) === idOfRow(key));
            if (item !== undefined) onOpen(item);
          },
        })}
      >
        <TableHeader>
          {selected !== undefined && (
            <Column className={cx(styles.head, styles.mark)}>
              <MarkBox label="Select all" />
            </Column>
          )}
          {columns.map(({ id, title, by, align, isName, width, unseen }) => (
            <Column
              key={id}
              id={id}
              isRowHeader={isName ?? id === names}
              allowsSorting={by !== undefined}
              className={cx(styles.head, align === 'end' && styles.end)}
              {...(width !== undefined && { style: { width } })}
            >
              {({ sortDirection }) => (
                <>
                  {unseen === true ? <span className="unseen">{title}</span> : title}
                  {sortDirection === 'ascending' && <ArrowUp aria-hidden />}
                  {sortDirection === 'descending' && <ArrowDown aria-hidden />}
                </>
              )}
            </Column>
          ))}
        </TableHeader>
        <TableBody renderEmptyState={() => empty ?? <p className={styles.none}>None</p>}>
          {shown.map((item) => (
            <Row
              key={idOf(item)}
              id={rowKey(idOf(item))}
              className={cx(styles.row, onOpen !== undefined && styles.opens)}
            >
              {selected !== undefined && (
                <Cell className={cx(styles.cell, styles.mark)}>
                  <MarkBox label="Select" />
                </Cell>
              )}
              {columns.map(({ id, cell, align }) => (
                <Cell key={id} className={cx(styles.cell, align === 'end' && styles.end)}>
                  {cell(item)}
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </Table>
      {shown.length < items.length && (
        <p className={styles.more}>
          {countText(shown.length)} of {countText(items.length)}
          <Button small onPress={() => setMost(max + MAX_ROWS)}>
            Show {Math.min(MAX_ROWS, items.length - shown.length)} more
          </Button>
        </p>
      )}
    </div>
  );
}

/** Selects a row; bound by the table. */
const MarkBox = ({ label }: { readonly label: string }) => (
  <Checkbox slot="selection" className={checkbox.checkbox!} aria-label={label}>
    <span className={checkbox.box} aria-hidden>
      <Check />
    </span>
  </Checkbox>
);
