import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react';
import { cx } from '../widgets/class-names.js';
import styles from './run-chart.module.css';
import { numberText, type Scale } from './run-scale.js';

export interface Threshold {
  readonly value: number;
  /** The side on which the monitor fires. */
  readonly opens: 'above' | 'below';
  /** Called while it moves; without it the threshold is fixed. */
  readonly onMove?: (value: number) => void;
  /** Called at the end of a move. */
  readonly onMoved?: (value: number) => void;
}

/** Threshold of a chart. A movable one is a slider for mouse, arrow keys, Page Up and Page Down. */
export function ThresholdLine({
  threshold: { value, opens, onMove, onMoved },
  scale,
  frame,
  onHold,
}: {
  readonly threshold: Threshold;
  readonly scale: Scale;
  readonly frame: RefObject<HTMLElement | null>;
  /** The scale to keep during a drag. */
  readonly onHold: (scale: Scale | undefined) => void;
}) {
  const dragged = useRef<number>(undefined);
  const share = scale.shareOf(value);
  const shaded = {
    bottom: opens === 'above' ? `${100 * share}%` : '0',
    top: opens === 'above' ? '0' : `${100 * (1 - share)}%`,
  };
  const name = <span className={cx(styles.name, share > 0.85 && styles.under)}>{numberText(value)}</span>;
  const side = <span className={styles.side} style={shaded} />;
  if (onMove === undefined)
    return (
      <>
        {side}
        <span className={styles.threshold} style={{ bottom: `${100 * share}%` }}>
          {name}
        </span>
      </>
    );
  const valueOf = (event: PointerEvent): number => {
    const { top, height } = frame.current!.getBoundingClientRect();
    return scale.valueAt(1 - (event.clientY - top) / height);
  };
  const moveTo = (next: number): void => {
    onMove(next);
    onMoved?.(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (steps !== undefined) moveTo(Number((value + steps * scale.step).toPrecision(12)));
    else if (event.key === 'Home') moveTo(scale.valueAt(0));
    else if (event.key === 'End') moveTo(scale.valueAt(1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const finish = (): void => {
    onHold(undefined);
    if (dragged.current !== undefined) onMoved?.(dragged.current);
    dragged.current = undefined;
  };
  return (
    <>
      {side}
      <div
        className={cx(styles.threshold, styles.moves)}
        style={{ bottom: `${100 * share}%` }}
        role="slider"
        tabIndex={0}
        aria-label="Threshold"
        aria-orientation="vertical"
        aria-valuenow={value}
        aria-valuemin={scale.low}
        aria-valuemax={scale.high}
        aria-valuetext={numberText(value)}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          dragged.current = value;
          onHold(scale);
        }}
        onPointerMove={(event) => {
          if (dragged.current === undefined) return;
          event.stopPropagation();
          dragged.current = valueOf(event);
          onMove(dragged.current);
        }}
        onPointerUp={finish}
        onPointerCancel={finish}
      >
        {name}
      </div>
    </>
  );
}
