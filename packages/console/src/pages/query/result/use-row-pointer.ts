import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { QueryStateAccess } from '../query-state.js';
import type { Result } from '../use-result.js';

/** Current, selected and open rows. */
export interface RowPointer {
  readonly active: number | undefined;
  readonly open: number | undefined;
  /** Row for a command: the current one, or the one under the mouse. */
  readonly target: () => number | undefined;
  readonly selected: ReadonlySet<number>;
  readonly move: (by: number) => void;
  readonly close: () => void;
  /** Clears the selection. */
  readonly clear: () => void;
  readonly grid: {
    readonly active: number | undefined;
    readonly selected: ReadonlySet<number>;
    readonly onActive: (row: number) => void;
    readonly onOpen: (row: number) => void;
    readonly onSelect: (row: number) => void;
    readonly onHover: (row: number | undefined) => void;
  };
}

const nothing: ReadonlySet<number> = new Set();

export function useRowPointer({ state, change }: QueryStateAccess, { source }: Result): RowPointer {
  const [active, setActive] = useState<number>();
  const [selected, setSelected] = useState(nothing);
  const { row } = state;
  // Row in the address: an event by its cursor, so that a link finds it in another result.
  const open = useMemo(() => {
    if (row === '') return undefined;
    if (/^\d+$/.test(row)) return Number(row) < source.rows ? Number(row) : undefined;
    for (let each = 0; each < source.rows; each++) if (source.cursor(each) === row) return each;
    return undefined;
  }, [row, source]);
  useEffect(() => setSelected(nothing), [source]);
  useEffect(() => {
    if (open !== undefined) setActive(open);
  }, [open]);

  const show = useCallback((next: number) => change({ row: source.cursor(next) ?? String(next) }), [change, source]);
  const onActive = useCallback(
    (next: number) => {
      setActive(next);
      // An open detail follows.
      if (row !== '') show(next);
    },
    [row, show],
  );
  const onOpen = useCallback(
    (next: number) => (next === open ? change({ row: '' }) : show(next)),
    [open, change, show],
  );
  const onSelect = useCallback(
    (next: number) =>
      setSelected((before) => {
        const after = new Set(before);
        if (!after.delete(next)) after.add(next);
        return after;
      }),
    [],
  );
  const move = useCallback(
    (by: number) => onActive(Math.max(0, Math.min(source.rows - 1, (active ?? (by > 0 ? -1 : 0)) + by))),
    [active, onActive, source],
  );
  const close = useCallback(() => change({ row: '' }), [change]);
  // Without state: moving the mouse renders nothing.
  const hovered = useRef<number>(undefined);
  const onHover = useCallback((row: number | undefined) => {
    hovered.current = row;
  }, []);
  const shownActive = active !== undefined && active < source.rows ? active : undefined;
  const clear = useCallback(() => setSelected(nothing), []);
  return useMemo(
    () => ({
      active: shownActive,
      open,
      target: () => shownActive ?? hovered.current,
      selected,
      move,
      close,
      clear,
      grid: { active: shownActive, selected, onActive, onOpen, onSelect, onHover },
    }),
    [shownActive, open, selected, move, close, clear, onActive, onOpen, onSelect, onHover],
  );
}
