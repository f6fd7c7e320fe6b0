import { describe, expect, it } from 'vitest';
import type { Session } from './session.js';
import { Worker } from './worker.js';

/**
 * A worker over fake sessions, which record their statements in `statements`. While `broken` is
 * set, no session can be opened.
 */
function createWorker() {
  const statements: string[] = [];
  let opened = 0;
  const state = { broken: false };
  const open = (): Session => {
    if (state.broken) throw new Error('no descriptors left');
    const number = (opened += 1);
    return {
      run: async (sql) => {
        statements.push(`${number}: ${sql}`);
        if (sql.endsWith('bad')) throw new Error('Code: 62. bad');
        return { bytes: Buffer.from(`answer of ${number}`), elapsedSeconds: 0 };
      },
      close: () => void statements.push(`${number} closed`),
    };
  };
  const worker = new Worker('query 0', open, { readonly: '2', b: '0' });
  const run = (sql: string, settings: Readonly<Record<string, string>> = { a: '1' }) =>
    worker.run(sql, 'CSV', settings).then(
      ({ bytes }) => Buffer.from(bytes).toString(),
      (error: Error) => error.message,
    );
  return { worker, run, statements, state };
}

describe('a worker', () => {
  it('gives a new session its settings and its mark, once', async () => {
    const { run, statements } = createWorker();
    for (const sql of ['one', 'two']) await run(sql);
    expect(statements).toEqual([
      "1: SET `readonly` = '2', `b` = '0', `a` = '1', `log_comment` = 'query 0'; one",
      '1: two',
    ]);
  });

  it('takes back what one statement wanted before the next, to the standing settings where they say something', async () => {
    const { run, statements } = createWorker();
    await run('one', { a: '1', b: '5' });
    await run('two', { b: '6' });
    await run('three', {});
    await run('four', {});
    expect(statements.slice(1)).toEqual(["1: SET `b` = '6', `a` = DEFAULT; two", "1: SET `b` = '0'; three", '1: four']);
  });

  it('closes a session whose statement failed, and never uses it again', async () => {
    const { run, statements } = createWorker();
    expect([await run('bad'), await run('good')]).toEqual(['Code: 62. bad', 'answer of 2']);
    expect(statements.filter((text) => text.endsWith('closed'))).toEqual(['1 closed']);
    expect(statements.at(-1)).toMatch(/^2: SET .*; good$/);
  });

  it('fails its statements with the reason while it cannot open a session', async () => {
    const { worker, run, statements, state } = createWorker();
    state.broken = true;
    expect(await run('bad')).toBe('Code: 62. bad');
    expect([await run('one'), await run('two')]).toEqual(['no descriptors left', 'no descriptors left']);
    worker.close();
    state.broken = false;
    expect(await run('three')).toBe('answer of 2');
    expect(statements).toHaveLength(3);
  });
});
