import { describe, expect, it } from 'vitest';
import type { BatchOutcome, BatchQuery } from '../../data/batch.js';
import { DashboardQueryRunner, type ElementQuery } from './query-runner.js';

const question = (key: string): ElementQuery => ({
  key,
  body: () => ({ apl: key, startTime: 'now-1h', endTime: 'now' }),
});
const answerOutcome = (rowsExamined = 1) =>
  ({ kind: 'answer', answer: { head: { status: { rowsExamined } } } }) as unknown as BatchOutcome;

/** A server that responds when the test says so. */
function world() {
  const batches: {
    readonly asked: readonly string[];
    readonly signal: AbortSignal;
    answer(index: number, outcome?: BatchOutcome): void;
    end(): Promise<void>;
  }[] = [];
  const runner = new DashboardQueryRunner(
    (queries: readonly BatchQuery[], signal, onOutcome) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        batches.push({
          asked: queries.map(({ body }) => body.apl),
          signal,
          answer: (index, outcome = answerOutcome()) => onOutcome(String(index), outcome),
          end: async () => {
            resolve();
            await settle();
          },
        });
      }),
    () => 0n,
  );
  return { runner, batches };
}
const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('a dashboard', () => {
  it('sends everything in one request, and equal queries once', () => {
    const { runner, batches } = world();
    runner.want([question('a'), question('b'), question('a')]);
    expect(batches.map(({ asked }) => asked)).toEqual([['a', 'b']]);
  });

  it('queries what scrolls into view, and nothing twice', async () => {
    const { runner, batches } = world();
    runner.want([question('a')]);
    batches[0]!.answer(0);
    await batches[0]!.end();
    runner.want([question('a'), question('b')]);
    expect(batches.map(({ asked }) => asked)).toEqual([['a'], ['b']]);
  });

  it('limits a query whose result is too large, from then on', async () => {
    const { runner, batches } = world();
    const less = () => ({ apl: 'the largest of a', startTime: 'now-1h', endTime: 'now' });
    const narrower: ElementQuery['narrower'] = ({ head }) => (head.status.rowsExamined > 100 ? less : undefined);
    runner.want([{ ...question('a'), narrower }, question('b')]);
    batches[0]!.answer(0, answerOutcome(101));
    batches[0]!.answer(1);
    expect(runner.states.get().get('a')).toEqual({ running: true });
    await batches[0]!.end();
    batches[1]!.answer(0, answerOutcome(500));
    await batches[1]!.end();
    expect(runner.states.get().get('a')).toMatchObject({ running: false, narrowed: true });
    expect(runner.cost.get()).toMatchObject({ queries: 2, rows: 602 });
    runner.refresh();
    expect(batches.map(({ asked }) => asked)).toEqual([['a', 'b'], ['the largest of a'], ['the largest of a', 'b']]);
  });

  it('runs a query again that was canceled and is wanted before the cancellation has ended', async () => {
    const { runner, batches } = world();
    runner.want([question('a')]);
    runner.want([]);
    runner.want([question('a')]);
    expect(batches.map(({ asked, signal }) => [asked, signal.aborted])).toEqual([
      [['a'], true],
      [['a'], false],
    ]);
    await settle();
    expect(runner.states.get().get('a')).toEqual({ running: true });
    batches[1]!.answer(0);
    await batches[1]!.end();
    expect(runner.states.get().get('a')).toMatchObject({ answer: {}, running: false });
    expect(runner.isRunning.get()).toBe(false);
  });

  it('shows each result when it arrives', () => {
    const { runner, batches } = world();
    runner.want([question('a'), question('b')]);
    batches[0]!.answer(1);
    expect([...runner.states.get()].map(([key, { running }]) => [key, running]).sort()).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('does not refresh while a query is running, except on request', async () => {
    const { runner, batches } = world();
    runner.want([question('a')]);
    runner.refresh();
    expect(batches).toHaveLength(1);
    runner.refresh('wanted');
    expect(batches[0]!.signal.aborted).toBe(true);
    batches[1]!.answer(0, answerOutcome(7));
    await batches[1]!.end();
    expect(runner.isRunning.get()).toBe(false);
    expect(runner.cost.get()).toMatchObject({ queries: 1, rows: 7 });
    runner.refresh();
    expect(batches).toHaveLength(3);
  });

  it('keeps the previous result during a refresh, and when the server is unreachable', async () => {
    const { runner, batches } = world();
    runner.want([question('a')]);
    batches[0]!.answer(0);
    await batches[0]!.end();
    runner.refresh();
    expect(runner.states.get().get('a')).toMatchObject({ running: true, answer: expect.anything() });
    await batches[1]!.end();
    expect(runner.states.get().get('a')).toMatchObject({ answer: expect.anything(), error: expect.any(Error) });
  });

  it('cancels unneeded queries, and runs them again when needed', async () => {
    const { runner, batches } = world();
    runner.want([question('a')]);
    runner.want([question('b')]);
    expect(batches.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await settle();
    runner.want([question('a'), question('b')]);
    expect(batches[2]!.asked).toEqual(['a']);
  });

  it('reports errors per query, and for all when the request fails', async () => {
    const { runner, batches } = world();
    runner.want([question('a'), question('b')]);
    batches[0]!.answer(0, { kind: 'failed', error: new Error('no dataset') });
    await batches[0]!.end();
    expect(String(runner.states.get().get('a')!.error)).toMatch('no dataset');
    expect(String(runner.states.get().get('b')!.error)).toMatch('broke off');
  });
});
