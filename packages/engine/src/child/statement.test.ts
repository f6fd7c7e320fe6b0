import { describe, expect, it } from 'vitest';
import { engineErrorOf } from '../errors.js';
import type { Control } from './control.js';
import { Statement } from './statement.js';
import type { Worker } from './worker.js';

/** A promise that the test resolves or rejects. */
function later<T>() {
  let settle: { resolve: (value: T) => void; reject: (error: Error) => void };
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...settle! };
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

/** A statement running on a fake worker, and its reported outcomes. */
function runningStatement() {
  const output = later<{ bytes: Uint8Array; elapsedSeconds: number }>();
  const kills: { readonly mark: string; readonly done: () => void }[] = [];
  const messages: string[] = [];
  const statement = new Statement(
    { type: 'run', lane: 'query', sql: 'SELECT 1', format: 'CSV', settings: {}, priority: 'normal' },
    {
      answer: async (_, output) => void messages.push(Buffer.from(output).toString()),
      detached: () => void messages.push('detached'),
      failed: (text) => void messages.push(text),
    },
    {
      kill: (mark: string) => new Promise<void>((resolve) => kills.push({ mark, done: resolve })),
    } as unknown as Control,
  );
  let over = false;
  const worker = { mark: 'query 3', run: () => output.promise } as unknown as Worker;
  const run = statement.run(worker).then(() => (over = true));
  return { statement, output, kills, messages, run, isOver: () => over };
}

describe('a statement with a time limit', () => {
  const withTime = async (milliseconds: number, waits: number) => {
    const given: (string | undefined)[] = [];
    const messages: string[] = [];
    const statement = new Statement(
      {
        type: 'run',
        lane: 'query',
        sql: 'SELECT 1',
        format: 'CSV',
        priority: 'normal',
        settings: { max_execution_time: '60' },
        milliseconds,
      },
      { answer: async () => undefined, detached: () => undefined, failed: (text) => void messages.push(text) },
      {} as Control,
    );
    const run = async (_sql: string, _format: string, settings: Readonly<Record<string, string>>) => {
      given.push(settings['max_execution_time']);
      return { bytes: new Uint8Array(), elapsedSeconds: 0 };
    };
    await new Promise((resolve) => setTimeout(resolve, waits));
    await statement.run({ mark: 'query 1', run } as unknown as Worker);
    return { given, messages };
  };

  it('keeps the limit in its settings while nearly all of it is left: another value would cost an extra statement', async () => {
    expect(await withTime(59_900, 0)).toEqual({ given: ['60'], messages: [] });
  });

  it('gets the remaining time when it begins, and is not started with no time left', async () => {
    const { given } = await withTime(30_000, 200);
    expect(Number(given[0])).toBeLessThan(29.9);
    expect(Number(given[0])).toBeGreaterThan(20);
    const { messages, ...late } = await withTime(50, 100);
    expect(late.given).toEqual([]);
    expect(engineErrorOf(messages[0]!).code).toBe('time-limit');
  });
});

describe('a statement', () => {
  it('is canceled by the mark of the worker it runs on', async () => {
    const { statement, output, kills, messages, run } = runningStatement();
    void statement.cancel();
    expect(kills.map(({ mark }) => mark)).toEqual(['query 3']);
    output.reject(new Error('Code: 394. Cancelled'));
    kills[0]!.done();
    await run;
    expect(messages).toEqual(['Code: 394. Cancelled']);
  });

  it('keeps its worker until the kill is over, lest it stop the next statement there', async () => {
    const { statement, output, kills, messages, run, isOver } = runningStatement();
    void statement.cancel();
    output.resolve({ bytes: Buffer.from('1'), elapsedSeconds: 0 });
    await turnOfTheLoop();
    expect([messages, isOver()]).toEqual([['1'], false]);
    kills[0]!.done();
    await run;
    expect(isOver()).toBe(true);
  });

  it('is killed again until it has stopped, and not after that', async () => {
    const { statement, output, kills, run } = runningStatement();
    const canceled = statement.cancel();
    kills[0]!.done();
    await expect.poll(() => kills.length).toBe(2);
    output.reject(new Error('Code: 394. Cancelled'));
    kills[1]!.done();
    await Promise.all([run, canceled]);
    await statement.cancel();
    expect([kills.length, statement.cancelMilliseconds]).toEqual([2, 0]);
  });

  it('that is over needs no kill', async () => {
    const { statement, output, kills, run } = runningStatement();
    output.resolve({ bytes: Buffer.from('1'), elapsedSeconds: 0 });
    await run;
    await statement.cancel();
    expect(kills).toEqual([]);
  });
});
