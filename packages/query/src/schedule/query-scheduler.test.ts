import { EngineError } from '@millrace/engine';
import { expect, it } from 'vitest';
import { QueryScheduler, type MemoryGrant } from './query-scheduler.js';
import { MemoryBroker } from './memory-shares.js';

const asker = (quotaKey: string) => ({ quotaKey, signal: new AbortController().signal });
const settle = () => new Promise((resolve) => setImmediate(resolve));

function turnsOf(patience = 60_000) {
  const shares = (totalBytes: number) => new MemoryBroker({ totalBytes, maxBytes: 200, guaranteedBytes: 20 });
  return new QueryScheduler(4, { queries: shares(200), exports: shares(100), patience });
}

/** Work that fails with less memory than it needs; records its grants. */
const needBytes =
  (bytes: number, got: number[]) =>
  async ({ memoryBytes }: Pick<MemoryGrant, 'memoryBytes'>): Promise<string> => {
    got.push(memoryBytes);
    if (memoryBytes < bytes) throw new EngineError('memory-limit');
    return 'done';
  };

it('work that needs more than it was offered is done again with the most there is', async () => {
  const turns = turnsOf();
  const got: number[] = [];
  expect(await turns.run(asker('a'), needBytes(80, got))).toBe('done');
  expect(await turns.run(asker('a'), needBytes(150, got))).toBe('done');
  expect(got).toEqual([100, 100, 200]);
  await expect(turns.run(asker('a'), needBytes(300, got))).rejects.toMatchObject({ code: 'memory-limit' });
  // All of it has been given back.
  expect(await turns.run(asker('a'), needBytes(100, got))).toBe('done');
  expect(got).toEqual([100, 100, 200, 100, 200, 100]);
});

it('while one has all the memory, others get the guaranteed share, and wait for more within their limit', async () => {
  const turns = turnsOf(50);
  let finish = (): void => undefined;
  const long = turns.run(asker('a'), async ({ memoryBytes }) => {
    if (memoryBytes < 200) throw new EngineError('memory-limit');
    await new Promise<void>((resolve) => (finish = resolve));
  });
  await settle();
  const got: number[] = [];
  expect(await turns.run(asker('b'), needBytes(10, got))).toBe('done');
  await expect(turns.run(asker('b'), needBytes(100, got))).rejects.toMatchObject({ code: 'memory-limit' });
  expect(got).toEqual([20, 20]);
  finish();
  await long;
});

it('other failures are reported without delay', async () => {
  const got: number[] = [];
  const failing = turnsOf().run(asker('a'), async ({ memoryBytes }) => {
    got.push(memoryBytes);
    throw new EngineError('time-limit');
  });
  await expect(failing).rejects.toMatchObject({ code: 'time-limit' });
  expect(got).toEqual([100]);
});

it('the statements of one party leave a session to another', async () => {
  const turns = turnsOf();
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const statement = (who: string) => (): Promise<void> => {
    begun.push(who);
    return new Promise((resolve) => finish.push(resolve));
  };
  const greedy = turns.run(asker('greedy'), ({ statement: run }) =>
    Promise.all(Array.from({ length: 6 }, () => run(statement('greedy')))),
  );
  await settle();
  const modest = turns.run(asker('modest'), ({ statement: run }) => run(statement('modest')));
  await settle();
  expect(begun).toEqual(['greedy', 'greedy', 'greedy', 'modest']);
  while (begun.length < 7 || finish.length > 0) {
    for (const end of finish.splice(0)) end();
    await settle();
  }
  await Promise.all([greedy, modest]);
});

it('a stream that has given nothing is read again with more memory; one that has ends', async () => {
  const read = async (gives: number, needs: number): Promise<readonly number[]> => {
    const got: number[] = [];
    const stream = turnsOf().stream(asker('a'), async function* (memoryBytes) {
      got.push(memoryBytes);
      for (let i = 0; i < gives; i++) yield new Uint8Array();
      if (memoryBytes < needs) throw new EngineError('memory-limit');
    });
    try {
      for await (const _ of stream);
    } catch {
      got.push(-1);
    }
    return got;
  };
  expect([await read(0, 100), await read(1, 100), await read(1, 20)]).toEqual([[50, 200], [50, -1], [50]]);
});

it('pages of one party are read one at a time, and beside those of another', async () => {
  const turns = turnsOf();
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const page = (who: string) =>
    turns.runPage(asker(who), () => {
      begun.push(who);
      return new Promise<void>((resolve) => finish.push(resolve));
    });
  const pages = ['greedy', 'greedy', 'greedy', 'modest'].map(page);
  await settle();
  expect(begun).toEqual(['greedy', 'modest']);
  while (finish.length > 0) {
    for (const end of finish.splice(0)) end();
    await settle();
  }
  await Promise.all(pages);
  expect(begun).toEqual(['greedy', 'modest', 'greedy', 'greedy']);
});

it('a statement that does not stop keeps its turn until it has no session, and counts for its party until it ends', async () => {
  const turns = turnsOf();
  let release = (): void => undefined;
  let stop = (): void => undefined;
  const unfinished = {
    releasePromise: new Promise<void>((resolve) => (release = resolve)),
    stopPromise: new Promise<void>((resolve) => (stop = resolve)),
  };
  const stubborn = () => Promise.reject(new EngineError('cancelled', '', undefined, unfinished));
  const begun: string[] = [];
  const work = (who: string) => async () => void begun.push(who);
  for (let i = 0; i < 3; i++)
    await expect(turns.run(asker('greedy'), stubborn)).rejects.toMatchObject({ code: 'cancelled' });
  await turns.run(asker('other'), work('other'));
  const again = turns.run(asker('greedy'), work('greedy'));
  release();
  await settle();
  await Promise.all(Array.from({ length: 4 }, () => turns.run(asker('other'), work('other'))));
  expect(begun).toEqual(['other', 'other', 'other', 'other', 'other']);
  stop();
  await again;
  expect(begun.at(-1)).toBe('greedy');
});
