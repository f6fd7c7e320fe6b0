import { type KeyboardEvent, useState } from 'react';
import { COLUMNS, type Place } from '../document/document.js';
import { movePlace } from '../document/edits.js';

/** The element that is being moved by keyboard. */
export interface KeyboardMove {
  readonly id: string | undefined;
  /** For screen readers. */
  readonly said: string;
  readonly start: (id: string) => void;
  readonly onKeyDown: (event: KeyboardEvent, id: string) => void;
}

const steps: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** `m` on an element starts; arrows move it, Shift+arrows resize it; Enter or Escape ends. */
export function useMoving(
  editing: boolean,
  places: readonly Place[],
  onPlaces: (places: readonly Place[]) => void,
): KeyboardMove {
  const [id, setId] = useState<string>();
  const [said, setSaid] = useState('');
  const start = (next: string): void => {
    setId(next);
    setSaid('Arrow keys move, Shift+arrow keys resize, Enter confirms');
  };
  return {
    id: editing ? id : undefined,
    said,
    start,
    onKeyDown: (event, own) => {
      // Keys within the element are its own.
      if (!editing || event.target !== event.currentTarget || event.altKey || event.metaKey || event.ctrlKey) return;
      const step = steps[event.key];
      if (id !== own) {
        if (event.key !== 'm') return;
        start(own);
      } else if (step !== undefined) {
        const next = movePlace(places, own, event.shiftKey ? { w: step.x, h: step.y } : step);
        onPlaces(next);
        const { x, y, w, h } = next.find(({ i }) => i === own)!;
        setSaid(`Column ${x + 1} of ${COLUMNS}, row ${y + 1}, ${w} wide, ${h} high`);
      } else if (['Enter', 'Escape', 'm'].includes(event.key)) {
        setId(undefined);
        setSaid('Moved');
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
