import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Session as ChdbSession } from 'chdb';

/** The raw output of a statement, and the time it took by the engine's clock. */
export interface Output {
  readonly bytes: Uint8Array;
  readonly elapsedSeconds: number;
}

/** One session of the engine. It runs one statement at a time. */
export interface Session {
  /** @throws the engine's errors unchanged, its text in `message` */
  run(sql: string, format: string): Promise<Output>;
  /** Call only while the session is idle: closing a busy one aborts the process. */
  close(): void;
}

interface Native {
  CloseConnection(connection: unknown): void;
}

/**
 * Loads chDB.
 *
 * chDB's own `close` releases a session only when all sessions are idle. During an export it would
 * keep half a megabyte and four descriptors for each session that was closed because its statement
 * failed. So the session's connection is closed with the native function that `close` calls last.
 * @returns a function that opens a new session over the data in the directory
 * @throws Error if the native library is missing
 */
export async function loadSessions(path: string, connectionArgs: readonly string[]): Promise<() => Session> {
  const { Session: Chdb } = await import('chdb');
  const require = createRequire(import.meta.url);
  // The package does not export its loader, which returns the library it has already loaded.
  const loader = join(dirname(require.resolve('chdb')), 'dist/loader.js');
  const native = (require(loader) as { loadNative(): Native }).loadNative();
  return () => {
    const session: ChdbSession = new Chdb(path, { connectionArgs });
    return {
      async run(sql, format) {
        const result = await session.queryAsync(sql, { format });
        return { bytes: result.bytes(), elapsedSeconds: result.elapsed };
      },
      close() {
        const { connection } = session;
        session.connection = null;
        session.close();
        if (connection !== null) native.CloseConnection(connection);
      },
    };
  };
}
