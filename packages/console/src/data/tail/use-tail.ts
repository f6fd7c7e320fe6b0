import { useCallback, useEffect, useRef, useState } from 'react';
import { chosenOrganization } from '../organization.js';
import { sessionRefused, useSession } from '../session.js';
import { openTail } from './open-tail.js';
import type { TailRow, TailState } from './tail-messages.js';

interface Tail {
  readonly state: TailState | undefined;
  /** Rows by number; undefined if pending or evicted. */
  readonly row: (index: number) => TailRow | undefined;
}

interface Chunk {
  readonly start: number;
  readonly rows: readonly TailRow[];
  /** Requested. */
  readonly asked: boolean;
}

/** Rows per request. */
const CHUNK = 200;
/** Chunks cached by the page. */
const MAX_CHUNKS = 20;

/** Follows a query while mounted; an empty one follows nothing. A new query or start restarts. */
export function useTail(apl: string, after: string | undefined): Tail {
  const line = useRef<ReturnType<typeof openTail>>(undefined);
  const chunks = useRef(new Map<number, Chunk>());
  const [state, setState] = useState<TailState>();
  const [, redraw] = useState(0);
  useEffect(() => {
    setState(undefined);
    chunks.current.clear();
    if (apl.trim() === '') return undefined;
    let wasOut = false;
    const opened = openTail({ apl, after, organization: chosenOrganization() }, (message) => {
      if (message.kind === 'state') {
        const { standing } = message.state;
        const isOut = standing.kind === 'refused' && standing.signedOut;
        // Only at the end: a late message must not end the new session.
        if (isOut && !wasOut) sessionRefused();
        wasOut = isOut;
        return setState(message.state);
      }
      chunks.current.set(message.from, { start: message.start, rows: message.rows, asked: false });
      redraw((count) => count + 1);
    });
    line.current = opened;
    return () => opened.close();
  }, [apl, after]);
  const session = useSession();
  useEffect(() => {
    if (session === 'in') line.current?.ask({ kind: 'again' });
  }, [session]);
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
    // The last chunk was partial when requested.
    if (found === undefined && known?.asked !== true) {
      const { current } = chunks;
      for (const old of [...current.keys()].slice(0, Math.max(0, current.size - MAX_CHUNKS))) current.delete(old);
      current.set(from, { start: known?.start ?? from, rows: known?.rows ?? [], asked: true });
      line.current?.ask({ kind: 'rows', from, to: from + CHUNK });
    }
    return found;
  }, []);
  return { state, row };
}
