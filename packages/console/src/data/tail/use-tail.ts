import { useCallback, useEffect, useRef, useState } from 'react';
import { sessionRefused } from '../session.js';
import { startWorker } from '../start-worker.js';
import type { FromTail, TailRow, TailState, ToTail } from './tail-messages.js';
import tailUrl from './tail.worker.ts?worker&url';

interface Tail {
  readonly state: TailState | undefined;
  /** Rows by their numbers; undefined until they are there, and for those that are gone. */
  readonly row: (index: number) => TailRow | undefined;
}

interface Chunk {
  readonly start: number;
  readonly rows: readonly TailRow[];
  /** It is on its way. */
  readonly asked: boolean;
}

/** Rows are fetched so many at a time. */
const CHUNK = 200;
/** Chunks that the page keeps. */
const MOST_CHUNKS = 20;

/**
 * Follows a query while the component is there; an empty one follows nothing. Another query or
 * another beginning starts anew.
 */
export function useTail(apl: string, after: string | undefined): Tail {
  const worker = useRef<Worker>(undefined);
  const chunks = useRef(new Map<number, Chunk>());
  const [state, setState] = useState<TailState>();
  const [, redraw] = useState(0);
  useEffect(() => {
    setState(undefined);
    chunks.current.clear();
    if (apl.trim() === '') return undefined;
    const started = startWorker(tailUrl);
    worker.current = started;
    started.addEventListener('message', ({ data }: MessageEvent<FromTail>) => {
      if (data.kind === 'state') {
        setState(data.state);
        if (data.state.standing.kind === 'refused' && data.state.standing.signedOut) sessionRefused();
        return;
      }
      chunks.current.set(data.from, { start: data.start, rows: data.rows, asked: false });
      redraw((count) => count + 1);
    });
    started.postMessage({ kind: 'start', apl, after } satisfies ToTail);
    return () => started.terminate();
  }, [apl, after]);
  const latest = useRef(state);
  latest.current = state;
  const row = useCallback((index: number): TailRow | undefined => {
    const present = latest.current;
    if (present === undefined || index < present.first) return undefined;
    const fromNewest = index - (present.next - present.newest.length);
    if (fromNewest >= 0) return present.newest[fromNewest];
    const from = Math.floor(index / CHUNK) * CHUNK;
    const known = chunks.current.get(from);
    const found = known?.rows[index - known.start];
    // The last chunk was not full when it was asked for.
    if (found === undefined && known?.asked !== true) {
      const { current } = chunks;
      for (const old of [...current.keys()].slice(0, Math.max(0, current.size - MOST_CHUNKS))) current.delete(old);
      current.set(from, { start: known?.start ?? from, rows: known?.rows ?? [], asked: true });
      worker.current?.postMessage({ kind: 'rows', from, to: from + CHUNK } satisfies ToTail);
    }
    return found;
  }, []);
  return { state, row };
}
