import { describe, expect, it } from 'vitest';
import { follow, type Standing } from './follow.js';
import type { TailLine } from './tail-line.js';

/** A tail whose connections give these bodies, one after the other; then it is aborted. */
async function followed(answers: readonly (() => Response)[], after?: string, signedIn?: () => Promise<void>) {
  const abort = new AbortController();
  const asked: (string | undefined)[] = [];
  const lines: TailLine[] = [];
  const standings: Standing[] = [];
  const pauses: number[] = [];
  await follow({
    after,
    signal: abort.signal,
    ...(signedIn !== undefined && { signedIn }),
    open: async (place) => {
      asked.push(place);
      const next = answers[asked.length - 1];
      if (next !== undefined) return next();
      abort.abort();
      throw abort.signal.reason;
    },
    onLine: (line) => lines.push(line),
    onStanding: (standing) => standings.push(standing),
    pause: async (milliseconds) => void pauses.push(milliseconds),
  });
  return { asked, lines, standings, pauses };
}

const body = (text: string) => () => new Response(text);
const event = (n: number) => `{"event":{"n":${n}},"position":"${n}","cursor":"c${n}"}\n`;

describe('following a tail', () => {
  it('goes on behind what came last, an event or a settled position', async () => {
    const { asked, lines, pauses } = await followed(
      [body(event(1) + event(2)), body(`${event(3)}{"settled":"9","at":""}\n`), body('{"end":{"reason":"time"}}\n')],
      '0',
    );
    expect(asked).toEqual(['0', 'c2', '9', '9']);
    expect(lines.filter(({ kind }) => kind === 'event')).toHaveLength(3);
    // It waits after a break, and not after an end that the server announced.
    expect(pauses).toHaveLength(2);
  });

  it('takes no line that broke off in the middle', async () => {
    const { asked, lines } = await followed([body(event(1) + event(2).slice(0, 20))]);
    expect(lines).toHaveLength(1);
    expect(asked).toEqual([undefined, 'c1']);
  });

  it('waits longer each time that nobody answers, and says so', async () => {
    const away = () => {
      throw new TypeError('Failed to fetch');
    };
    const { pauses, standings } = await followed([away, away, away, body(event(1)), away]);
    expect(pauses).toEqual([500, 1000, 2000, 500, 1000]);
    expect(standings[1]).toEqual({ kind: 'broken', problem: 'the server cannot be reached', again: 500 });
  });

  it('stops when it is refused, with the reason', async () => {
    const refusal = () =>
      new Response('{"message":"take needs more than one event"}', {
        status: 400,
        headers: { 'x-millrace-error': 'invalid-query' },
      });
    const { asked, standings } = await followed([refusal]);
    expect(asked).toHaveLength(1);
    expect(standings.at(-1)).toEqual({ kind: 'refused', problem: 'take needs more than one event', signedOut: false });
  });

  it('waits for a new session when its own is over, and goes on behind what came last', async () => {
    const over = () =>
      new Response('{"message":"signed out"}', { status: 403, headers: { 'x-millrace-error': 'unauthenticated' } });
    let waited = 0;
    const { asked, standings } = await followed([body(event(1)), over, body(event(2))], undefined, async () => {
      waited++;
    });
    expect(waited).toBe(1);
    expect(asked).toEqual([undefined, 'c1', 'c1', 'c2']);
    expect(standings).toContainEqual({ kind: 'refused', problem: 'signed out', signedOut: true });
  });

  it('comes again when the server is only busy', async () => {
    const { asked } = await followed([() => new Response('{"message":"busy"}', { status: 429 }), body(event(1))]);
    expect(asked).toEqual([undefined, undefined, 'c1']);
  });
});
