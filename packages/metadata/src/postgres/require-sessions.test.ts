import type { Pool, PoolClient } from 'pg';
import { expect, it } from 'vitest';
import { requireSessions } from './require-sessions.js';

/**
 * A pool whose connections get server processes as PgBouncer gives them; its real program behaved
 * the same when this was written.
 */
function poolOf(mode: 'session' | 'transaction' | 'transaction, in turn' | 'statement'): Pool {
  const idle = mode === 'transaction, in turn' ? [1, 2, 3] : [1];
  let sessions = 0;
  const connect = async (): Promise<PoolClient> => {
    const own = ++sessions;
    let held: number | undefined;
    const query = async (sql: string) => {
      if (mode === 'statement' && sql === 'BEGIN')
        throw new Error('transaction blocks not allowed in statement pooling mode');
      const pid = held ?? idle.shift() ?? 100;
      if (sql === 'BEGIN') held = pid;
      if (sql === 'COMMIT') held = undefined;
      if (held === undefined) idle.push(pid);
      return { rows: [{ pid: mode === 'session' ? own : pid }] };
    };
    return { query, release: () => undefined } as unknown as PoolClient;
  };
  return { connect } as unknown as Pool;
}

it.each(['transaction', 'transaction, in turn', 'statement'] as const)(
  'a pooler in mode %s is refused',
  async (mode) => {
    await expect(requireSessions(poolOf(mode))).rejects.toThrow('a connection pooler in transaction mode');
  },
);

it('one in session mode is not', async () => {
  await expect(requireSessions(poolOf('session'))).resolves.toBeUndefined();
});
