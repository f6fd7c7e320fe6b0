import type { FollowedTail } from './followed-tail.js';
import type { FromTail, TailQuestion, TailState, ToTail } from './tail-messages.js';

/** A page at the other end of a line. */
export interface TailPort {
  post(message: FromTail): void;
}

/**
 * So many tails at once: browsers open six connections to one host, and the pages need some of
 * them. Tabs that follow the same query share one.
 */
export const MOST_TAILS = 4;

interface Shared {
  readonly tail: FollowedTail;
  readonly ports: Set<TailPort>;
  /** Whether something changed since its pages were told. */
  readonly news: { isNew: boolean };
}

/**
 * Who follows what: one tail for each query, however many pages look at it. It ends with the last
 * of them.
 */
export function createTailHost(followTail: (question: TailQuestion, onChange: () => void) => FollowedTail) {
  const tails = new Map<string, Shared>();
  const keyOf = ({ apl, after }: TailQuestion): string => JSON.stringify([apl, after]);
  const sharedBy = (port: TailPort): Shared | undefined => [...tails.values()].find(({ ports }) => ports.has(port));

  function leave(port: TailPort): void {
    for (const [key, { tail, ports }] of tails) {
      if (!ports.delete(port) || ports.size > 0) continue;
      tail.stop();
      tails.delete(key);
    }
  }
  function join(port: TailPort, question: TailQuestion): void {
    leave(port);
    const key = keyOf(question);
    let shared = tails.get(key);
    if (shared === undefined) {
      if (tails.size >= MOST_TAILS) return port.post({ kind: 'state', state: tooMany });
      // There before the tail is: it may have something to say at once.
      const news = { isNew: true };
      const tail = followTail(question, () => (news.isNew = true));
      shared = { tail, ports: new Set(), news };
      tails.set(key, shared);
    } else shared.tail.again();
    shared.ports.add(port);
    port.post({ kind: 'state', state: shared.tail.state() });
  }
  return {
    /** What a page says. */
    hear(port: TailPort, message: ToTail): void {
      switch (message.kind) {
        case 'start':
          return join(port, message);
        case 'again':
          return sharedBy(port)?.tail.again();
        case 'stop':
          return leave(port);
        case 'rows': {
          const found = sharedBy(port)?.tail.rows(message.from, message.to);
          if (found !== undefined) port.post({ kind: 'rows', from: message.from, ...found });
        }
      }
    },
    /** Tells every page how its tail is; without `all`, only where something changed. */
    tell(all: boolean): void {
      for (const [key, shared] of tails) {
        if (!shared.news.isNew && !all) continue;
        shared.news.isNew = false;
        const state = shared.tail.state();
        for (const port of shared.ports) port.post({ kind: 'state', state });
        // It is over, unless it waits for somebody to sign in; who asks again begins anew.
        if (state.standing.kind === 'refused' && !state.standing.signedOut) tails.delete(key);
      }
    },
  };
}

const tooMany: TailState = {
  standing: {
    kind: 'refused',
    signedOut: false,
    problem: `Other tabs of this browser follow ${MOST_TAILS} other queries, and more would leave the pages no connection. Close one of them, or follow the same query: tabs share it.`,
  },
  first: 0,
  next: 0,
  since: undefined,
  position: undefined,
  rates: [],
  newest: [],
};
