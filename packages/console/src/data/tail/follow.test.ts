import { describe, expect, it } from 'vitest';
import { follow, type TailStatus } from './follow.js';
import type { TailLine } from './tail-line.js';

/** A tail whose connections return these bodies in turn; then it is aborted. */
async function followTail(answers: readonly (() => Response)[], after?: string, signedIn?: () => Promise<void>) {
  const abort = new AbortController();
  const asked: (string | undefined)[] = [];
  const lines: TailLine[] = [];
  const standings: TailStatus[] = [];
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
  it('resumes after the last event or watermark', async () => {
    const { asked, lines, pauses } = await followTail(
      [body(event(1) + event(2)), body(`${event(3)}{"settled":"9","at":""}\n`), body('{"end":{"reason":"time"}}\n')],
      '0',
    );
    expect(asked).toEqual(['0', 'c2', '9', '9']);
    expect(lines.filter(({ kind }) => kind === 'event')).toHaveLength(3);
    // It waits after an interruption, but not after an announced end.
    expect(pauses).toHaveLength(2);
  });

  it('ignores a truncated line', async () => {
    const { asked, lines } = await followTail([body(event(1) + event(2).slice(0, 20))]);
    expect(lines).toHaveLength(1);
    expect(asked).toEqual([undefined, 'c1']);
  });

  it('backs off while the server is unreachable, and reports it', async () => {
    const failFetch = () => {
      throw new TypeError('Failed to fetch');
    };
    const { pauses, standings } = await followTail([failFetch, failFetch, failFetch, body(event(1)), failFetch]);
    expect(pauses).toEqual([500, 1000, 2000, 500, 1000]);
    expect(standings[1]).toEqual({ kind: 'broken', problem: 'the server is unreachable', again: 500 });
  });

  it('stops when rejected, with the reason', async () => {
    const refusal = () =>
      new Response('{"message":"take needs more than one event"}', {
        status: 400,
        headers: { 'x-millrace-error': 'invalid-query' },
      });
    const { asked, standings } = await followTail([refusal]);
    expect(asked).toHaveLength(1);
    expect(standings.at(-1)).toEqual({ kind: 'refused', problem: 'take needs more than one event', signedOut: false });
  });

  it('waits for a new session when its own ends, and resumes after the last event', async () => {
    const over = () =>
      new Response('{"message":"signed out"}', { status: 403, headers: { 'x-millrace-error': 'unauthenticated' } });
    let waited = 0;
    const { asked, standings } = await followTail([body(event(1)), over, body(event(2))], undefined, async () => {
      waited++;
    });
    expect(waited).toBe(1);
    expect(asked).toEqual([undefined, 'c1', 'c1', 'c2']);
    expect(standings).toContainEqual({ kind: 'refused', problem: 'signed out', signedOut: true });
  });

  it('retries when the server is busy', async () => {
    const { asked } = await followTail([() => new Response('{"message":"busy"}', { status: 429 }), body(event(1))]);
    expect(asked).toEqual([undefined, undefined, 'c1']);
  });
});
