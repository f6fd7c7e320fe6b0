import { afterEach, describe, expect, it } from 'vitest';
import { errorOf, openTestEngine, type TestEngine, text } from './testing/engines.js';

let test: TestEngine | undefined;
afterEach(() => test?.end());

describe('a statement that does not stop', () => {
  /** A single function call, during which the engine does not check for cancellation. */
  const stubborn =
    'SELECT arrayFold((hash, each) -> cityHash64(hash, each), range(30000000 + materialize(0)), toUInt64(0))';

  it('releases its session, and the process continues', async () => {
    test = await openTestEngine({ sessions: 1, closeMilliseconds: 0 });
    const stopping = new AbortController();
    const failure = errorOf(test.engine.query(stubborn, { format: 'CSV', signal: stopping.signal }));
    setTimeout(() => stopping.abort(), 500);
    expect((await failure).code).toBe('cancelled');
    const { releasePromise: released, stopPromise: stopped } = (await failure).unfinishedStatement!;
    expect(await Promise.race([stopped.then(() => 'stopped'), released.then(() => 'released')])).toBe('released');
    expect(await text(test.engine, 'SELECT 1')).toBe('1');
    expect(test.engine.health()).toMatchObject({ state: 'ready', restarts: 0 });
  });
});
