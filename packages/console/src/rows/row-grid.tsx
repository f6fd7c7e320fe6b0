import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { usePreferences } from '../data/preferences.js';
import { cx } from '../widgets/class-names.js';
import styles from './row-grid.module.css';
import { wasClick } from './is-click.js';

interface RowGridProps {
  readonly label: string;
  readonly rows: number;
  /** Total number of rows, including those not loaded. */
  readonly total: number;
  readonly columns: number;
  readonly header?: ReactNode;
  /** Cells of a row. */
  readonly render: (row: number) => ReactNode;
  /** Screen reader label. */
  readonly describe: (row: number) => string;
  readonly active: number | undefined;
  readonly selected: ReadonlySet<number>;
  readonly onActive: (row: number) => void;
  readonly onOpen: (row: number) => void;
  /** Called with the row under the mouse. */
  readonly onHover?: (row: number | undefined) => void;
  /** Without it the selection key belongs to the page. */
  readonly onSelect?: (row: number) => void;
  /** Called when the last rows are in view. */
  readonly onEnd: () => void;
  readonly wrap: boolean;
  /** Total width of the columns, if known. */
  readonly width?: number | undefined;
  readonly footer?: ReactNode;
}

const ROWS_BEYOND = 6;
const WRAPPED_GUESS = 40;

/** Virtualized rows. One Tab stop; arrow keys move within. */
export function RowGrid(props: RowGridProps) {
  const { rows, active, wrap, onEnd } = props;
  const scroll = useRef<HTMLDivElement>(null);
  // A page may have several grids.
  const id = useId();
  const { density } = usePreferences();
  const height = density === 'compact' ? 22 : 28;
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => scroll.current,
    estimateSize: () => (wrap ? WRAPPED_GUESS : height),
    overscan: ROWS_BEYOND,
  });
  useEffect(() => virtual.measure(), [virtual, height, wrap]);
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows > 0 && last >= rows - 1 - ROWS_BEYOND) onEnd();
  }, [rows, last, onEnd]);
  useEffect(() => {
    // Only when the active row changes: arriving rows must not move the scroll position.
    if (active !== undefined) virtual.scrollToIndex(active, { align: 'auto' });
  }, [virtual, active]);
  // Keeps the position when the container shrinks.
  const tall = virtual.scrollRect?.height ?? 0;
  const wasTall = useRef(tall);
  useEffect(() => {
    const was = wasTall.current;
    wasTall.current = tall;
    const at = active === undefined ? undefined : virtual.measurementsCache[active];
    if (at === undefined || tall >= was) return;
    const from = virtual.scrollOffset ?? 0;
    if (at.start < from + was && at.end > from) virtual.scrollToIndex(active!, { align: 'auto' });
  }, [virtual, active, tall]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey || event.metaKey || event.ctrlKey) return;
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 0) / height) - 2);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -rows,
      End: rows,
    };
    const move = moves[event.key];
    if (move !== undefined) {
      const next = Math.max(0, Math.min(rows - 1, (active ?? (move > 0 ? -1 : 0)) + move));
      if (event.shiftKey && active !== undefined) props.onSelect?.(next);
      props.onActive(next);
    } else if (event.key === 'Enter' && active !== undefined) props.onOpen(active);
    else if (event.key === ' ' && active !== undefined && props.onSelect !== undefined) props.onSelect(active);
    else return;
    event.preventDefault();
  };

  // A row out of view has no element to refer to.
  const isActiveShown = shown.some(({ index }) => index === active);
  return (
    <div className={styles.frame}>
      <div
        ref={scroll}
        className={styles.scroll}
        role="grid"
        aria-label={props.label}
        aria-rowcount={props.total + (props.header === undefined ? 0 : 1)}
        aria-colcount={props.columns}
        aria-multiselectable
        tabIndex={0}
        aria-activedescendant={isActiveShown ? `${id}-row-${active}` : undefined}
        onKeyDown={onKeyDown}
      >
        {props.header}
        <div
          role="rowgroup"
          className={styles.body}
          style={{ height: virtual.getTotalSize(), ...(props.width !== undefined && { minWidth: props.width }) }}
        >
          {shown.map(({ index, start }) => (
            <GridRow
              key={index}
              id={`${id}-row-${index}`}
              index={index}
              start={start}
              height={wrap ? undefined : height}
              measure={wrap ? virtual.measureElement : undefined}
              headers={props.header === undefined ? 0 : 1}
              fits={props.width === undefined}
              isActive={index === active}
              isSelected={props.selected.has(index)}
              render={props.render}
              describe={props.describe}
              onActive={props.onActive}
              onOpen={props.onOpen}
              onHover={props.onHover}
            />
          ))}
        </div>
      </div>
      {props.footer}
    </div>
  );
}

/** Scrolling renders only rows that come into view, if `render` and `describe` stay the same. */
const GridRow = memo(function GridRow({
  id,
  index,
  start,
  height,
  measure,
  headers,
  fits,
  isActive,
  isSelected,
  render,
  describe,
  onActive,
  onOpen,
  onHover,
}: Pick<RowGridProps, 'render' | 'describe' | 'onActive' | 'onOpen'> & {
  readonly onHover: RowGridProps['onHover'] | undefined;
  readonly id: string;
  readonly index: number;
  readonly start: number;
  /** Undefined for wrapped rows, which are measured. */
  readonly height: number | undefined;
  readonly measure: ((element: HTMLElement | null) => void) | undefined;
  /** Number of header rows. */
  readonly headers: number;
  /** Whether it is as wide as the grid. */
  readonly fits: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
}) {
  return (
    <div
      id={id}
      data-index={index}
      ref={measure}
      role="row"
      aria-rowindex={index + 1 + headers}
      aria-selected={isSelected}
      aria-label={describe(index)}
      className={cx(
        styles.row,
        height === undefined && styles.wrapped,
        fits && styles.fits,
        isActive && styles.active,
        isSelected && styles.selected,
      )}
      style={{ transform: `translateY(${start}px)`, height }}
      onPointerEnter={() => onHover?.(index)}
      onPointerLeave={() => onHover?.(undefined)}
      onClick={(event: MouseEvent) => {
        if (!wasClick(event)) return;
        onActive(index);
        onOpen(index);
      }}
    >
      {render(index)}
    </div>
  );
});
