import type LibsqlDatabase from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Authenticator } from '@millrace/http/access/authenticate';
import { defaultSettings, sessionLimits } from '@millrace/http/settings/settings';
import { databaseOver } from './database.js';
import { type Metadata, metadataOver } from './metadata.js';
import { inMemory, openSqlite } from './sqlite.js';

/**
 * A commit may take effect and still report a failure. Memory must then not hide the state on disk.
 */

let sqlite: LibsqlDatabase.Database;
let metadata: Metadata;
beforeEach(async () => {
  sqlite = openSqlite(inMemory);
  metadata = await metadataOver(databaseOver(sqlite), Date.now);
});
afterEach(() => metadata.close());

/** Runs a change whose commit takes effect and reports a failure of the disk. */
async function runFailingCommit(change: () => Promise<unknown>): Promise<void> {
  const [prepare, exec] = [sqlite.prepare.bind(sqlite), sqlite.exec.bind(sqlite)];
  const diskError = (): Error => Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
  // The end of a transaction of several statements, and of a single one.
  sqlite.prepare = ((sql: string) => {
    const statement = prepare(sql);
    const run = statement.run.bind(statement);
    statement.run = (...parameters) => {
      const result = run(...parameters);
      if (sql === 'commit') throw diskError();
      return result;
    };
    return statement;
  }) as typeof sqlite.prepare;
  sqlite.exec = (sql) => {
    exec(sql);
    if (sql === 'COMMIT') throw diskError();
    return sqlite;
  };
  await expect(change()).rejects.toMatchObject({ name: 'MetadataError', code: 'unavailable' });
  Object.assign(sqlite, { prepare, exec });
}

/** A user who has sent a request with a token. */
async function user() {
  await metadata.users.owner();
  const { id } = await metadata.users.create({ email: 'b@example.com', name: 'B', role: 'owner' });
  const { token, secret } = await metadata.tokens.create({ kind: 'personal', name: 'p', userId: id });
  const authenticator = new Authenticator(metadata, sessionLimits(defaultSettings()));
  const authenticate = () => authenticator.authenticate(`Bearer ${secret}`);
  await authenticate();
  return { id, token, authenticate };
}

test('a deleted token no longer works', async () => {
  const { token, authenticate } = await user();
  await runFailingCommit(() => metadata.tokens.delete('personal', token.id));
  await expect(authenticate()).rejects.toThrow('unknown token');
});

test('the token of a deleted user no longer works', async () => {
  const { id, authenticate } = await user();
  await runFailingCommit(() => metadata.users.delete(id));
  await expect(authenticate()).rejects.toThrow('unknown token');
});

test('a user with another role has its rights', async () => {
  const { id, authenticate } = await user();
  const before = await authenticate();
  await runFailingCommit(() => metadata.users.update(id, { role: 'read-only' }));
  expect((await authenticate()).capabilities).not.toEqual(before.capabilities);
});

test('a regenerated token keeps the requested expiry', async () => {
  const { id } = await user();
  const { token, secret } = await metadata.tokens.create({ kind: 'api', name: 'a', userId: id });
  const authenticator = new Authenticator(metadata, sessionLimits(defaultSettings()));
  await authenticator.authenticate(`Bearer ${secret}`);
  await runFailingCommit(() => metadata.tokens.regenerate(token.id, '2020-01-01T00:00:00Z', {}));
  await expect(authenticator.authenticate(`Bearer ${secret}`)).rejects.toThrow('the token has expired');
});

test('a deleted dataset is not found, and a changed one is as it was changed', async () => {
  for (const name of ['deleted', 'changed']) await metadata.datasets.create({ name, who: 'me' });
  await runFailingCommit(() => metadata.datasets.delete('deleted', 'forget'));
  await runFailingCommit(() => metadata.datasets.update('changed', () => ({ description: 'new' })));
  expect(metadata.datasets.list()).toMatchObject([{ name: 'changed', description: 'new' }]);
});

test('a change that is refused says why, even if the datasets cannot be read afterwards', async () => {
  await metadata.datasets.create({ name: 'd', who: 'me' });
  const prepare = sqlite.prepare.bind(sqlite);
  sqlite.prepare = ((sql: string) => {
    if (sql.endsWith('order by "name"')) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
    return prepare(sql);
  }) as typeof sqlite.prepare;
  await expect(metadata.datasets.create({ name: 'd', who: 'me' })).rejects.toMatchObject({ code: 'already-exists' });
  await expect(metadata.datasets.create({ name: 'e', who: 'me' })).rejects.toMatchObject({ code: 'unavailable' });
  sqlite.prepare = prepare;
  // The next change finds the result of the last one.
  await metadata.datasets.update('d', () => ({ description: 'new' }));
  expect(metadata.datasets.list()).toMatchObject([{ name: 'd', description: 'new' }, { name: 'e' }]);
});
