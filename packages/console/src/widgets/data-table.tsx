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
import { countText } from '../data/amounts.js';
import { cx } from './class-names.js';
import { Button } from './inputs/button.js';
import { useNarrow } from './use-narrow.js';
import checkbox from './inputs/checkbox.module.css';
import styles from './data-table.module.css';

export interface DataColumn<T> {
  readonly id: string;
  readonly title: string;
  readonly cell: (item: T) => ReactNode;
  /** What it is sorted by; without, it cannot be sorted. */
  readonly by?: (item: T) => string | number | bigint;
  readonly align?: 'start' | 'end';
  /** The column that names the row for screen readers. */
  readonly isName?: boolean;
  readonly width?: number;
  /** Its title is for screen readers only. */
  readonly unseen?: boolean;
  /** In a narrow window there is no room for it. */
  readonly aside?: boolean;
}

/** Many times as fast as `localeCompare`, which looks up the language for each pair. */
const words = new Intl.Collator();

/** A sort as the address has it: `name`, or `-name` for the largest first. */
function sorted<T>(items: readonly T[], columns: readonly DataColumn<T>[], sort: string): readonly T[] {
  const by = columns.find(({ id }) => id === sort.replace(/^-/, ''))?.by;
  if (by === undefined) return items;
  const sign = sort.startsWith('-') ? -1 : 1;
  return items.toSorted((a, b) => {
    const [x, y] = [by(a), by(b)];
    return sign * (typeof x === 'string' && typeof y === 'string' ? words.compare(x, y) : x < y ? -1 : x > y ? 1 : 0);
  });
}

/**
 * Rows and columns of a table share one room of keys; a row may well be called as a column is, such
 * as a field `name`.
 */
const ROW = 'row:';
const rowKey = (id: string): string => ROW + id;
const idOfRow = (key: string | number): string => String(key).slice(ROW.length);

/** Nobody reads more at once, and a page draws no more without standing still. */
export const MOST_ROWS = 200;

/**
 * A table for lists that are all there: it has some hundreds of rows, and more when somebody wants
 * them. The grid of query results (`rows/`) is another, for a hundred times as many.
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
  /** Ids of the rows that are marked; without, none can be. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelected?: (selected: ReadonlySet<string>) => void;
  /** Told which rows are there, so that nobody asks about the others. */
  readonly onShown?: (ids: readonly string[]) => void;
  readonly empty?: ReactNode;
}) {
  const [most, setMost] = useState(MOST_ROWS);
  const narrow = useNarrow();
  const columns = narrow ? all.filter(({ aside }) => aside !== true) : all;
  const descriptor: SortDescriptor = {
    column: sort.replace(/^-/, ''),
    direction: sort.startsWith('-') ? 'descending' : 'ascending',
  };
  const shown = sorted(items, columns, sort).slice(0, most);
  const shownIds = shown.map(idOf).join('\n');
  const told = useRef(onShown);
  told.current = onShown;
  useEffect(() => told.current?.(shownIds === '' ? [] : shownIds.split('\n')), [shownIds]);
  const names = columns.some(({ isName }) => isName) ? undefined : columns[0]?.id;
  return (
    <div className={styles.scroll}>
      <Table
        aria-label={label}
        className={styles.table!}
        sortDescriptor={descriptor}
        onSortChange={({ column, direction }) => onSort(`${direction === 'descending' ? '-' : ''}${column}`)}
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
          <Button small onPress={() => setMost(most + MOST_ROWS)}>
            Show {Math.min(MOST_ROWS, items.length - shown.length)} more
          </Button>
        </p>
      )}
    </div>
  );
}

/** Marks a row; the table tells it which. */
const MarkBox = ({ label }: { readonly label: string }) => (
  <Checkbox slot="selection" className={checkbox.checkbox!} aria-label={label}>
    <span className={checkbox.box} aria-hidden>
      <Check />
    </span>
  </Checkbox>
);
