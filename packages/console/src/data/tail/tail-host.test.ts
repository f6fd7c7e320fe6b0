import { expect, it } from 'vitest';
import type { TailStatus } from './follow.js';
import { createTailHost, MAX_TAILS, type TailPort } from './tail-host.js';
import type { FromTail, TailRequest } from './tail-messages.js';

/** A host with scripted tails. */
function hostOfFakes() {
  const begun: {
    readonly question: TailRequest;
    isStopped: boolean;
    isAsked: boolean;
    set(standing: TailStatus): void;
  }[] = [];
  const host = createTailHost((question, onChange) => {
    let standing: TailStatus = { kind: 'connecting' };
    const fake = {
      question,
      isStopped: false,
      isAsked: false,
      set: (next: TailStatus) => {
        standing = next;
        onChange();
      },
    };
    begun.push(fake);
    onChange();
    return {
      state: () => ({
        standing,
        first: 0,
        next: 0,
        since: '1',
        startedAt: undefined,
        position: '2',
        rates: [],
        newest: [],
      }),
      rows: (from) => ({ start: from, rows: [] }),
      again: () => void (fake.isAsked = true),
      stop: () => void (fake.isStopped = true),
    };
  });
  return { host, begun };
}

function portOf() {
  const heard: FromTail[] = [];
  const port: TailPort = { post: (message) => void heard.push(message) };
  const standings = () => heard.flatMap((message) => (message.kind === 'state' ? [message.state.standing.kind] : []));
  return { port, heard, standings };
}

const start = (apl: string, after?: string, organization?: string) =>
  ({ kind: 'start', apl, after, organization }) as const;

it('pages that follow the same query share one tail, which ends with the last of them', () => {
  const { host, begun } = hostOfFakes();
  const [a, b] = [portOf(), portOf()];
  host.hear(a.port, start('logs'));
  host.hear(b.port, start('logs'));
  expect(begun).toHaveLength(1);
  begun[0]!.set({ kind: 'live' });
  host.tell(false);
  expect([a.standings(), b.standings()]).toEqual([
    ['connecting', 'live'],
    ['connecting', 'live'],
  ]);
  host.hear(a.port, { kind: 'stop' });
  expect(begun[0]!.isStopped).toBe(false);
  host.hear(b.port, { kind: 'stop' });
  expect(begun[0]!.isStopped).toBe(true);
});

it('tabs that show different organizations share no tail', () => {
  const { host, begun } = hostOfFakes();
  const [a, b] = [portOf(), portOf()];
  host.hear(a.port, start('logs', undefined, 'one'));
  host.hear(b.port, start('logs', undefined, 'two'));
  expect(begun.map(({ question }) => question.organization)).toEqual(['one', 'two']);
});

it('another query or start is another tail, and the page leaves its first', () => {
  const { host, begun } = hostOfFakes();
  const { port } = portOf();
  host.hear(port, start('logs'));
  host.hear(port, start('logs', '7'));
  expect(begun.map(({ isStopped }) => isStopped)).toEqual([true, false]);
  host.hear(port, { kind: 'rows', from: 3, to: 5 });
});

it('reports changes only, and everything now and then', () => {
  const { host } = hostOfFakes();
  const { port, heard } = portOf();
  host.hear(port, start('logs'));
  host.tell(false);
  host.tell(false);
  expect(heard).toHaveLength(2);
  host.tell(true);
  expect(heard).toHaveLength(3);
});

it('sends rows to the page that requests them, from its tail', () => {
  const { host } = hostOfFakes();
  const [a, b] = [portOf(), portOf()];
  host.hear(a.port, start('logs'));
  host.hear(b.port, { kind: 'rows', from: 0, to: 200 });
  expect(b.heard).toEqual([]);
  host.hear(a.port, { kind: 'rows', from: 200, to: 400 });
  expect(a.heard.at(-1)).toEqual({ kind: 'rows', from: 200, start: 200, rows: [] });
});

it('rejects more tails than leave connections for the pages, with a remedy', () => {
  const { host, begun } = hostOfFakes();
  for (let n = 0; n < MAX_TAILS; n++) host.hear(portOf().port, start(`logs${n}`));
  const { port, heard } = portOf();
  host.hear(port, start('one more'));
  expect(begun).toHaveLength(MAX_TAILS);
  expect(heard).toMatchObject([
    { state: { standing: { kind: 'refused', problem: expect.stringContaining('Close one') } } },
  ]);
});

it('restarts a rejected tail for the next request', () => {
  const { host, begun } = hostOfFakes();
  const [a, b] = [portOf(), portOf()];
  host.hear(a.port, start('logs'));
  begun[0]!.set({ kind: 'refused', problem: 'no such dataset', signedOut: false });
  host.tell(false);
  expect(a.standings().at(-1)).toBe('refused');
  host.hear(b.port, start('logs'));
  expect(begun).toHaveLength(2);
  expect(b.standings()).toEqual(['connecting']);
});

it('continues a tail after the user signs in again', () => {
  const { host, begun } = hostOfFakes();
  const { port } = portOf();
  host.hear(port, start('logs'));
  begun[0]!.set({ kind: 'refused', problem: 'signed out', signedOut: true });
  host.tell(false);
  host.hear(port, { kind: 'again' });
  expect(begun.map(({ isAsked }) => isAsked)).toEqual([true]);
});
