import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { AuthenticatedPrincipal } from '@millrace/http/access/authorize';
import { type Database, databaseOver } from '@millrace/metadata/database';
import { metadataOver } from '@millrace/metadata/metadata';
import { inMemory, openSqlite } from '@millrace/metadata/sqlite';
import { History } from './history.js';

const owner: AuthenticatedPrincipal = {
  kind: 'api-token',
  tokenId: 't',
  tokenName: 't',
  userId: 'u',
  capabilities: [],
};
const entry = { kind: 'apl', dataset: 'logs', query: '{}' };
const perToken = 2;
const quotaOf = (queryHistory: number, mebibytes = 64) => ({ queryHistory, queryHistoryBytes: mebibytes * 2 ** 20 });

/** A database in which the tokens of these tests are never deleted. */
const behind = (database: Database) => ({
  database,
  accessVersion: () => 0,
  tokens: { ids: () => Promise.resolve(new Set(['t', 'other'])) },
});

test('a database that fails for long catches up from memory only', async () => {
  const sqlite = openSqlite(inMemory);
  let statements = 0;
  const database = databaseOver(sqlite, () => void statements++);
  const open = (): Promise<History> => History.open(behind(database), quotaOf(perToken), pino({ enabled: false }));
  const history = await open();
  sqlite.exec("CREATE TRIGGER full BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'full'); END");
  const ids: string[] = [];
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 10; i++) ids.push(history.add(owner, entry));
    await expect(history.close()).rejects.toThrow('full');
  }
  sqlite.exec('DROP TRIGGER full');
  statements = 0;
  await history.close();
  // The queries' client does not send the statement that begins the transaction.
  const commit = 1;
  expect(statements).toBe(perToken + commit);
  const again = await open();
  expect(ids.filter((id) => again.find(id, owner) !== undefined)).toEqual(ids.slice(-perToken));
});

test('what was remembered before goes from the database when there is too much', async () => {
  const database = databaseOver(openSqlite(inMemory));
  const open = (): Promise<History> => History.open(behind(database), quotaOf(perToken), pino({ enabled: false }));
  for (let start = 0; start < 3; start++) {
    const history = await open();
    history.add(owner, entry);
    await history.close();
  }
  expect(await database.selectFrom('documents').selectAll().execute()).toHaveLength(perToken);
});

test('long queries are kept while there is room, the newest always', async () => {
  const database = databaseOver(openSqlite(inMemory));
  const open = (): Promise<History> => History.open(behind(database), quotaOf(100), pino({ enabled: false }));
  const history = await open();
  const add = (kibibytes: number, who = owner): string =>
    history.add(who, { ...entry, query: JSON.stringify('x'.repeat(kibibytes * 1024 - 2)) });
  const other = { ...owner, tokenId: 'other', userId: 'other' };
  const others = add(1024, other);
  const ids = [300, 300, 300, 300, 1, 200].map((kibibytes) => add(kibibytes));
  const keptFlags = (of: History): readonly boolean[] => ids.map((id) => of.find(id, owner) !== undefined);
  expect(keptFlags(history)).toEqual([false, false, true, true, true, true]);
  ids.push(add(4096));
  expect(keptFlags(history)).toEqual([false, false, false, false, false, false, true]);
  ids.push(add(1));
  expect(keptFlags(history)).toEqual([false, false, false, false, false, false, false, true]);
  await history.close();
  const again = await open();
  expect(keptFlags(again)).toEqual(keptFlags(history));
  expect(again.find(others, other)).toBeDefined();
});

test('all tokens share the room; the largest token drops its oldest queries', async () => {
  const history = await History.open(
    behind(databaseOver(openSqlite(inMemory))),
    quotaOf(100),
    pino({ enabled: false }),
  );
  const query = JSON.stringify('x'.repeat(4 * 2 ** 20 - 2));
  const of = (tokenId: string): AuthenticatedPrincipal => ({ ...owner, tokenId, userId: tokenId });
  const small = history.add(of('small'), entry);
  const large = Array.from({ length: 16 }, (_, i) => history.add(of(`${i}`), { ...entry, query }));
  expect(large.map((id, i) => history.find(id, of(`${i}`)) !== undefined)).toEqual([false, ...Array(15).fill(true)]);
  expect(history.find(small, of('small'))).toBeDefined();
});

test('the queries of a token go with it, those of a user’s tokens with the user', async () => {
  const metadata = await metadataOver(databaseOver(openSqlite(inMemory)), Date.now);
  const open = (): Promise<History> => History.open(metadata, quotaOf(10), pino({ enabled: false }));
  const user = await metadata.users.create({ email: 'b@example.com', name: 'B', role: 'user' });
  await metadata.users.owner();
  const issue = async (kind: 'api' | 'personal', userId: string): Promise<AuthenticatedPrincipal> => {
    const { token } = await metadata.tokens.create({ kind, name: 'n', userId });
    return { ...owner, tokenId: token.id, userId };
  };
  const [stays, goes, users] = [await issue('api', 'u'), await issue('api', 'u'), await issue('personal', user.id)];
  const history = await open();
  const ids = [stays, goes, users].map((who) => ({ who, id: history.add(who, entry) }));
  const kept = (of: History): readonly boolean[] => ids.map(({ who, id }) => of.find(id, who) !== undefined);
  await history.close();
  const again = await open();
  expect(kept(again)).toEqual([true, true, true]);
  await metadata.tokens.delete('api', goes.tokenId);
  await expect.poll(() => kept(again)).toEqual([true, false, true]);
  await metadata.users.delete(user.id);
  await again.close();
  const last = await open();
  expect(kept(last)).toEqual([true, false, false]);
  expect(await metadata.database.selectFrom('documents').select('id').execute()).toEqual([{ id: ids[0]!.id }]);
  await last.close();
});

test('a query that is over only when its token has been deleted goes too', async () => {
  const metadata = await metadataOver(databaseOver(openSqlite(inMemory)), Date.now);
  const history = await History.open(metadata, quotaOf(10), pino({ enabled: false }));
  const { token } = await metadata.tokens.create({ kind: 'api', name: 'n', userId: 'u' });
  const gone = { ...owner, tokenId: token.id };
  const first = history.add(gone, entry);
  await metadata.tokens.delete('api', token.id);
  await expect.poll(() => history.find(first, gone)).toBeUndefined();
  const late = history.add(gone, entry);
  await history.close();
  expect(history.find(late, gone)).toBeUndefined();
  expect(await metadata.database.selectFrom('documents').select('id').execute()).toEqual([]);
});
