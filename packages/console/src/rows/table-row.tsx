import { memo } from 'react';
import { cx } from '../widgets/class-names.js';
import { isNumber } from './known-fields.js';
import type { RowSource } from './row-source.js';
import type { TableColumn } from './table-columns.js';
import styles from './table.module.css';
import { TraceLink } from './trace-links.js';
import { Value } from './value.js';
import { useValueMenu } from './value-menu.js';
import { wasClick } from './is-click.js';

/** A row of cells. */
export const TableRow = memo(function TableRow({
  source,
  row,
  columns,
  zone,
  wrap,
}: {
  readonly source: RowSource;
  readonly row: number;
  readonly columns: readonly TableColumn[];
  readonly zone: string;
  readonly wrap: boolean;
}) {
  const openMenu = useValueMenu();
  return columns.map(({ name, type, width, isAmount }, index) => {
    const cell = source.cell(row, name);
    return (
      <span
        key={name}
        role="gridcell"
        aria-colindex={index + 1}
        className={cx(styles.cell, isNumber(type) && styles.end, wrap && styles.wraps)}
        style={{ width }}
        onClick={(event) => {
          if (!wasClick(event)) return;
          event.preventDefault();
          openMenu(event, { field: name, type, cell, row });
        }}
      >
        <TraceLink source={source} row={row} field={name} cell={cell}>
          <Value cell={cell} type={type} zone={zone} wrap={wrap} isAmount={isAmount} />
        </TraceLink>
        {type.includes('|') && !isNumber(type) && cell !== null && <sup className={styles.mark}>{markOf(cell)}</sup>}
      </span>
    );
  });
});

/** Type of a value in a field of mixed types. */
function markOf(cell: unknown): string {
  if (typeof cell === 'string') return 's';
  if (typeof cell === 'boolean') return 'b';
  return typeof cell === 'object' ? 'j' : 'n';
}
