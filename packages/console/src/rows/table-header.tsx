import { ArrowDown, ArrowUp } from 'lucide-react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { cx } from '../widgets/class-names.js';
import { visibleText } from '../data/results/visible-text.js';
import { FieldName } from '../widgets/untrusted-text.js';
import { isNumber } from './known-fields.js';
import type { TableColumn } from './table-columns.js';
import styles from './table.module.css';

const MIN_WIDTH = 48;

/** Column headers: sort by click, resize by dragging the edge; also by keyboard. */
export const TableHeader = ({
  columns,
  sort,
  onSort,
  onChange,
}: {
  readonly columns: readonly TableColumn[];
  readonly sort: string;
  readonly onSort: (field: string) => void;
  readonly onChange: (columns: readonly TableColumn[]) => void;
}) => {
  const resizeColumn = (index: number, wanted: number): void => {
    const width = Math.max(MIN_WIDTH, Math.round(wanted));
    onChange(columns.map((each, at) => (at === index ? { ...each, width, ownWidth: width } : each)));
  };
  const moveColumn = (index: number, by: number): void => {
    const next = [...columns];
    const [column] = next.splice(index, 1);
    next.splice(Math.max(0, Math.min(columns.length - 1, index + by)), 0, column!);
    onChange(next);
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Delete') onChange(columns.filter((_, at) => at !== index));
    else if (by === undefined || !event.altKey) return;
    else if (event.shiftKey) resizeColumn(index, columns[index]!.width + 16 * by);
    else moveColumn(index, by);
    event.preventDefault();
  };
  const startResize = (event: PointerEvent<HTMLElement>, index: number): void => {
    event.preventDefault();
    const { currentTarget, clientX } = event;
    const { width } = columns[index]!;
    currentTarget.setPointerCapture(event.pointerId);
    const move = (next: globalThis.PointerEvent): void => resizeColumn(index, width + next.clientX - clientX);
    currentTarget.addEventListener('pointermove', move);
    currentTarget.addEventListener('lostpointercapture', () => currentTarget.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.headRow}>
        {columns.map(({ name, type, width }, index) => {
          const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';
          return (
            <div
              key={name}
              role="columnheader"
              aria-sort={direction}
              className={cx(styles.headCell, isNumber(type) && styles.endHead)}
              style={{ width }}
            >
              <button
                type="button"
                className={styles.sort}
                onClick={() => onSort(name)}
                onKeyDown={(event) => onKeyDown(event, index)}
                title={`${visibleText(name)}: Alt+←/→ to move, Alt+Shift+←/→ to resize, Delete to remove`}
              >
                <FieldName name={name} className={styles.title} />
                {direction === 'ascending' && <ArrowUp aria-hidden />}
                {direction === 'descending' && <ArrowDown aria-hidden />}
              </button>
              <span aria-hidden className={styles.edge} onPointerDown={(event) => startResize(event, index)} />
            </div>
          );
        })}
      </div>
    </div>
  );
};
