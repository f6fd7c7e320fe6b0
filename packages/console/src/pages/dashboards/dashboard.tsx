import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { GridLayout, useContainerWidth } from 'react-grid-layout';
import { cx } from '../../widgets/class-names.js';
import styles from './dashboard.module.css';
import { kindOf } from './elements/element-table.js';
import { COLUMNS, type Chart, type Place } from './document/document.js';

/** Row height and gap between elements, in pixels. */
const ROW = 56;
const GAP = 8;
/** Below this width elements are stacked. */
const NARROW = 720;
/** Distance from the viewport at which elements are queried. */
const NEAR = '240px';

/**
 * Elements in a grid; stacked in a narrow window. They can be dragged and resized if `onPlaces` is
 * given.
 */
export function Board({
  charts,
  places,
  onPaper,
  onPlaces,
  onVisible,
  render,
}: {
  readonly charts: readonly Chart[];
  readonly places: readonly Place[];
  /** Page breaks in print do not split elements. */
  readonly onPaper: boolean;
  readonly onPlaces: ((places: readonly Place[]) => void) | undefined;
  readonly onVisible: (ids: ReadonlySet<string>) => void;
  readonly render: (chart: Chart) => ReactNode;
}) {
  const { width, containerRef, mounted } = useContainerWidth();
  const byId = useMemo(() => new Map(charts.map((chart) => [chart.id, chart])), [charts]);
  const observe = useVisible(onVisible);
  const ordered = useMemo(() => places.toSorted((a, b) => a.y - b.y || a.x - b.x), [places]);
  const isNarrow = width < NARROW && !onPaper;
  const item = ({ i, h }: Place) => (
    // When stacked, scrolling elements keep their height and text takes its natural height.
    <div
      key={i}
      {...(isNarrow && { style: { [scrolls(byId.get(i)!) ? 'height' : 'minHeight']: h * (ROW + GAP) - GAP } })}
    >
      {/* The grid overwrites the `ref` of its direct children. */}
      <div ref={observe} data-element={i} className={styles.place}>
        {render(byId.get(i)!)}
      </div>
    </div>
  );
  return (
    <div ref={containerRef} className={styles.board}>
      {/* The drag library would inject a style sheet as HTML, which the CSP forbids, unless an element has this id. */}
      <span id="react-draggable-style-el" hidden />
      {onPaper && (
        <div className={styles.paper}>
          {ordered.map(({ i, x, y, w, h }) => (
            <div key={i} style={{ gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` }}>
              <div className={styles.place}>{render(byId.get(i)!)}</div>
            </div>
          ))}
        </div>
      )}
      {mounted && isNarrow && <div className={styles.stack}>{ordered.map(item)}</div>}
      {mounted && !isNarrow && !onPaper && (
        <GridLayout
          width={width}
          layout={[...places]}
          gridConfig={{ cols: COLUMNS, rowHeight: ROW, margin: [GAP, GAP], containerPadding: [0, 0] }}
          dragConfig={{ enabled: onPlaces !== undefined, handle: '[data-handle]', cancel: 'button' }}
          resizeConfig={{ enabled: onPlaces !== undefined, handles: ['se'] }}
          className={cx(styles.grid, onPlaces !== undefined && styles.editing)}
          onDragStop={(layout) => onPlaces?.(layout.map(placeOf))}
          onResizeStop={(layout) => onPlaces?.(layout.map(placeOf))}
        >
          {ordered.map(item)}
        </GridLayout>
      )}
    </div>
  );
}

const scrolls = ({ type }: Chart): boolean => kindOf(type)?.asks === true;

const placeOf = ({ i, x, y, w, h }: Place): Place => ({ i, x, y, w, h });

/** Reports which elements are in or near the viewport; returns a function to observe one. */
function useVisible(
  onVisible: (ids: ReadonlySet<string>) => void,
): (element: HTMLElement | null) => (() => void) | undefined {
  const tell = useRef(onVisible);
  tell.current = onVisible;
  const [watch] = useState(() => {
    const visible = new Set<string>();
    const idOf = (element: Element): string => (element as HTMLElement).dataset['element']!;
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) visible.add(idOf(target));
          else visible.delete(idOf(target));
        tell.current(new Set(visible));
      },
      // Scroll containers clip elements before the margin of the window applies.
      { rootMargin: NEAR, scrollMargin: NEAR } as IntersectionObserverInit,
    );
    return {
      observer,
      one: (element: HTMLElement | null) => {
        if (element === null) return undefined;
        observer.observe(element);
        return () => {
          observer.unobserve(element);
          if (visible.delete(idOf(element))) tell.current(new Set(visible));
        };
      },
    };
  });
  useEffect(() => () => watch.observer.disconnect(), [watch]);
  return watch.one;
}
