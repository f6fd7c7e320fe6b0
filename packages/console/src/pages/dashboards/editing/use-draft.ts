import { useCallback, useMemo, useState } from 'react';
import type { BoardDocument } from '../document/document.js';

/** Draft of a document: the loaded version and all edits since. */
export interface Draft {
  readonly document: BoardDocument;
  readonly isChanged: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly change: (change: (document: BoardDocument) => BoardDocument) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Restarts from another document. */
  readonly restart: (document: BoardDocument) => void;
}

const MAX_STEPS = 100;

interface Steps {
  readonly base: BoardDocument;
  readonly past: readonly BoardDocument[];
  readonly present: BoardDocument;
  readonly future: readonly BoardDocument[];
}

export function useDraft(saved: BoardDocument): Draft {
  const [steps, setSteps] = useState<Steps>({ base: saved, past: [], present: saved, future: [] });
  const change = useCallback<Draft['change']>(
    (next) =>
      setSteps((before) => {
        const present = next(before.present);
        if (present === before.present) return before;
        return { ...before, past: [...before.past, before.present].slice(-MAX_STEPS), present, future: [] };
      }),
    [],
  );
  const undo = useCallback(
    () =>
      setSteps((before) => {
        const present = before.past.at(-1);
        if (present === undefined) return before;
        return { ...before, past: before.past.slice(0, -1), present, future: [before.present, ...before.future] };
      }),
    [],
  );
  const redo = useCallback(
    () =>
      setSteps((before) => {
        const [present, ...future] = before.future;
        if (present === undefined) return before;
        return { ...before, past: [...before.past, before.present], present, future };
      }),
    [],
  );
  const restart = useCallback(
    (document: BoardDocument) => setSteps({ base: document, past: [], present: document, future: [] }),
    [],
  );
  return useMemo(
    () => ({
      document: steps.present,
      isChanged: steps.present !== steps.base,
      canUndo: steps.past.length > 0,
      canRedo: steps.future.length > 0,
      change,
      undo,
      redo,
      restart,
    }),
    [steps, change, undo, redo, restart],
  );
}
