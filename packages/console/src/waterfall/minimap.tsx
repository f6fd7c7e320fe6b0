import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useActiveTheme } from '../data/active-theme.js';
import type { Trace, Window } from './span-tree.js';
import styles from './waterfall.module.css';

const HEIGHT = 44;
/** A drag shorter than this fraction is a click. */
const MIN_SHARE = 0.005;

/** All spans; dragging selects the time range of the waterfall. */
export function Minimap({
  trace,
  colors,
  view,
  onView,
}: {
  readonly trace: Trace;
  readonly colors: ReadonlyMap<string, string>;
  readonly view: Window | undefined;
  readonly onView: (view: Window | undefined) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drag, setDrag] = useState<Window>();
  const theme = useActiveTheme();
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const draw = (): void => paint(element, trace, colors);
    const sizes = new ResizeObserver(draw);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [trace, colors, theme]);
  const length = Math.max(1, trace.duration);
  const timeAt = (event: PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width)) * length;
  };
  const shown = drag ?? view;
  const share = (time: number): string => `${(100 * time) / length}%`;
  return (
    <div
      className={styles.minimap}
      style={{ height: HEIGHT }}
      aria-hidden
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: timeAt(event), to: timeAt(event) });
      }}
      onPointerMove={(event) => drag !== undefined && setDrag({ ...drag, to: timeAt(event) })}
      onPointerUp={() => {
        setDrag(undefined);
        if (drag === undefined) return;
        const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
        onView(to - from < length * MIN_SHARE ? undefined : { from, to });
      }}
    >
      <canvas ref={canvas} />
      {shown !== undefined && (
        <span
          className={styles.window}
          style={{ left: share(Math.min(shown.from, shown.to)), width: share(Math.abs(shown.to - shown.from)) }}
        />
      )}
    </div>
  );
}

function paint(canvas: HTMLCanvasElement, { nodes, duration }: Trace, colors: ReadonlyMap<string, string>): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const inks = new Map(
    [...colors].map(([service, color]) => [service, style.getPropertyValue(color.replace(/^var\((.+)\)$/, '$1'))]),
  );
  const line = Math.max(0.5, Math.min(4, height / nodes.length));
  for (const [index, { span }] of nodes.entries()) {
    context.fillStyle = span.error ? style.getPropertyValue('--red') : (inks.get(span.service) ?? '');
    const y = (index / nodes.length) * height;
    context.fillRect(
      (span.start / Math.max(1, duration)) * width,
      y,
      Math.max(1, (span.duration / Math.max(1, duration)) * width),
      Math.max(1, line - 0.5),
    );
  }
}
