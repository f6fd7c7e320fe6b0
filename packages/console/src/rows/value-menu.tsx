import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { Popover } from 'react-aria-components/Popover';
import type { Cell } from '../data/results/cells.js';
import { type MenuGroup, MenuList } from '../widgets/overlays/menu.js';
import type { PointedWith } from '../widgets/pointer-type.js';
import menu from '../widgets/overlays/menu.module.css';

/** A clicked value. */
export interface ClickedValue {
  readonly field: string;
  readonly type: string;
  readonly cell: Cell;
  /** Its row, if it belongs to the result. */
  readonly row?: number;
}

type Open = (event: PointedWith, pointed: ClickedValue) => void;

const OpenMenu = createContext<Open>(() => {});

/** Opens the menu of a value. */
export const useValueMenu = (): Open => useContext(OpenMenu);

/** One menu for all values below it. */
export function ValueMenu({
  groupsOf,
  onQuick,
  children,
}: {
  readonly groupsOf: (pointed: ClickedValue) => readonly MenuGroup[];
  /** ⌘+click or Ctrl+click includes the value at once, Alt+click excludes it. */
  readonly onQuick: (pointed: ClickedValue, how: 'include' | 'exclude') => void;
  readonly children: ReactNode;
}) {
  const trigger = useRef<Element>(null);
  const quick = useRef(onQuick);
  quick.current = onQuick;
  const [pointed, setPointed] = useState<ClickedValue>();
  const open = useMemo(
    () => (event: PointedWith, next: ClickedValue) => {
      if (event.metaKey || event.ctrlKey) return quick.current(next, 'include');
      if (event.altKey) return quick.current(next, 'exclude');
      trigger.current = event.currentTarget;
      return setPointed(next);
    },
    [],
  );
  return (
    <OpenMenu value={open}>
      {children}
      <Popover
        className={menu.popover!}
        triggerRef={trigger}
        isOpen={pointed !== undefined}
        onOpenChange={(isOpen) => !isOpen && setPointed(undefined)}
        offset={4}
        aria-label="Value actions"
      >
        {pointed !== undefined && (
          <MenuList
            label={`${pointed.field}: what to do with the value`}
            groups={groupsOf(pointed).map((group) => ({
              ...group,
              entries: group.entries.map((entry) => ({
                ...entry,
                run: () => {
                  setPointed(undefined);
                  entry.run();
                },
              })),
            }))}
          />
        )}
      </Popover>
    </OpenMenu>
  );
}
