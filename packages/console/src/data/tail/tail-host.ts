import type { FollowedTail } from './tail-subscription.js';
import type { FromTail, TailRequest, TailState, ToTail } from './tail-messages.js';

/** Message port of a page. */
export interface TailPort {
  post(message: FromTail): void;
}

/**
 * Maximum concurrent tails: browsers open six connections per host, and pages need some of them.
 * Tabs with the same query share one.
 */
export const MAX_TAILS = 4;

interface SharedTail {
  readonly tail: FollowedTail;
  readonly ports: Set<TailPort>;
  /** Whether it changed since its pages were notified. */
  readonly news: { isNew: boolean };
}

/**
 * Maps pages to tails: one tail per query for any number of pages, which ends with the last of
 * them.
 */
export function createTailHost(followTail: (request: TailRequest, onChange: () => void) => FollowedTail) {
  const tails = new Map<string, SharedTail>();
  const keyOf = ({ apl, after, organization }: TailRequest): string => JSON.stringify([apl, after, organization]);
  const sharedBy = (port: TailPort): SharedTail | undefined => [...tails.values()].find(({ ports }) => ports.has(port));

  function leave(port: TailPort): void {
    for (const [key, { tail, ports }] of tails) {
      if (!ports.delete(port) || ports.size > 0) continue;
      tail.stop();
      tails.delete(key);
    }
  }
  function join(port: TailPort, request: TailRequest): void {
    leave(port);
    const key = keyOf(request);
    let shared = tails.get(key);
    if (shared === undefined) {
      if (tails.size >= MAX_TAILS) return port.post({ kind: 'state', state: tooMany });
      // Registered before the tail, which may report at once.
      const news = { isNew: true };
      const tail = followTail(request, () => (news.isNew = true));
      shared = { tail, ports: new Set(), news };
      tails.set(key, shared);
    } else shared.tail.again();
    shared.ports.add(port);
    port.post({ kind: 'state', state: shared.tail.state() });
  }
  return {
    /** Handles a message of a page. */
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
    /** Sends the state of its tail to each page; without `all`, changes only. */
    tell(all: boolean): void {
      for (const [key, shared] of tails) {
        if (!shared.news.isNew && !all) continue;
        shared.news.isNew = false;
        const state = shared.tail.state();
        for (const port of shared.ports) port.post({ kind: 'state', state });
        // Ended, unless it waits for a sign-in; the next request restarts it.
        if (state.standing.kind === 'refused' && !state.standing.signedOut) tails.delete(key);
      }
    },
  };
}

const tooMany: TailState = {
  standing: {
    kind: 'refused',
    signedOut: false,
    problem: `Too many live queries: other tabs of this browser already tail ${MAX_TAILS}. Close one, or tail the same query to share its connection.`,
  },
  first: 0,
  next: 0,
  since: undefined,
  startedAt: undefined,
  position: undefined,
  rates: [],
  newest: [],
};
