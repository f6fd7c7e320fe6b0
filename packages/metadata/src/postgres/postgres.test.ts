import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Authenticator } from '@millrace/http/access/authenticate';
import { defaultSettings, sessionLimits } from '@millrace/http/settings/settings';
import {
  queryPostgres,
  openPostgresServer,
  type PostgresServer,
  sharedPostgres,
  whyNoPostgres,
} from '../testing/postgres.js';
import { openMetadataIn } from '../open-metadata.js';
import type { Metadata } from '../metadata.js';
import { openSqlite, inMemory } from '../sqlite.js';
import { postgresStatement } from './statement.js';

const isSkipped = whyNoPostgres() !== undefined;
const limits = sessionLimits(defaultSettings());

/** Two processes over one database, for the metadata: each has separate connections and memory. */
describe.skipIf(isSkipped)('two over one database', () => {
  let url: string;
  let [here, there]: Metadata[] = [];
  const [a, b] = [() => here!, () => there!];
  beforeEach(async () => {
    url = await (await sharedPostgres()).place();
    [here, there] = await Promise.all([openMetadataIn({ url }), openMetadataIn({ url })]);
  });
  afterEach(async () => {
    await here?.close();
    await there?.close();
  });

  test('no update of a dataset, a role or a token is lost', async () => {
    await a().datasets.create({ name: 'd', who: 'me' });
    const { id } = await a().roles.create({ name: 'r', members: [], description: '' } as never);
    const fields = Array.from({ length: 20 }, (_, n) => `m${n}`);
    const half = (n: number): Metadata => (n % 2 === 0 ? a() : b());
    await Promise.all(
      fields.flatMap((field, n) => [
        half(n).datasets.update('d', ({ mapFields }) => ({ mapFields: [...mapFields, field] })),
        half(n).roles.update(id, (present) => ({ ...present, members: [...present.members, field] })),
      ]),
    );
    for (const each of [a(), b()]) {
      await each.upToDate();
      expect(each.datasets.get('d').mapFields.toSorted()).toEqual(fields.toSorted());
      expect((await each.roles.list())[0]?.members.toSorted()).toEqual(fields.toSorted());
    }
  });

  test('a name is given once, a number never again', async () => {
    const made = await Promise.allSettled(
      [a(), b(), a(), b()].map((each) => each.datasets.create({ name: 'd', who: 'me' })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const before = a().datasets.find('d')?.datasetId ?? b().datasets.get('d').datasetId;
    await b().datasets.delete('d', 'forget');
    expect((await a().datasets.create({ name: 'd', who: 'me' })).datasetId).toBeGreaterThan(before);
    expect(await b().datasets.highestId()).toBeGreaterThan(before);
  });

  test('the quota holds for both together', async () => {
    const quota = { records: 3, bytes: 1000 };
    const [c, d] = await Promise.all([
      openMetadataIn({ url }, Date.now, quota),
      openMetadataIn({ url }, Date.now, quota),
    ]);
    await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? c : d).datasets.create({ name: `d${n}`, who: '' })),
    );
    await a().upToDate();
    expect(a().datasets.list()).toHaveLength(3);
    await Promise.all([c.close(), d.close()]);
  });

  test('starts at the same moment make one owner', async () => {
    const owners = await Promise.all([a, b, a, b].map((each) => each().users.owner()));
    expect(new Set(owners.map(({ id }) => id)).size).toBe(1);
  });

  test('a token revoked on one is rejected by the other at its next request', async () => {
    const owner = await a().users.owner();
    const { id: userId } = await a().users.create({ email: 'b@example.com', name: 'B', role: 'owner' });
    const other = new Authenticator(b(), limits);
    const createKnownToken = async () => {
      const { token, secret } = await a().tokens.create({ kind: 'personal', name: 't', userId });
      await other.authenticate(`Bearer ${secret}`);
      return { token, knock: () => other.authenticate(`Bearer ${secret}`) };
    };
    const revoked = await createKnownToken();
    await a().tokens.delete('personal', revoked.token.id);
    await expect(revoked.knock()).rejects.toThrow('unknown token');
    // Also after a deletion by another program.
    const removed = await createKnownToken();
    await queryPostgres(url, `DELETE FROM tokens WHERE id = '${removed.token.id}'`);
    await expect(removed.knock()).rejects.toThrow('unknown token');
    const demoted = await createKnownToken();
    const before = await demoted.knock();
    await a().users.update(userId, { role: 'read-only' });
    expect((await demoted.knock()).capabilities).not.toEqual(before.capabilities);
    await a().users.delete(userId);
    await expect(demoted.knock()).rejects.toThrow('unknown token');
    expect(owner.role).toBe('owner');
  });

  test('a session that one ends is over for the other', async () => {
    const { id } = await a().users.owner();
    const { token } = await a().tokens.create({ kind: 'personal', name: 't', userId: id });
    const { session, secret } = await a().sessions.begin({ tokenId: token.id, address: '', agent: '' }, limits);
    const other = new Authenticator(b(), limits);
    await other.session(secret);
    await a().sessions.end(session.id);
    await expect(other.session(secret)).rejects.toThrow('session expired');
  });

  test('each sees the changes of the other after a refresh', async () => {
    await a().datasets.create({ name: 'd', who: 'me' });
    const view = await a().views.create({ name: 'v', aplQuery: 'd' } as never);
    await a().fields.update(a().datasets.get('d'), 'nul\0', { unit: 'ms' });
    await b().upToDate();
    expect(
      b()
        .datasets.list()
        .map(({ name }) => name),
    ).toEqual(['d']);
    expect((await b().views.list()).map(({ name }) => name)).toEqual(['v']);
    expect([...(await b().fields.of(b().datasets.get('d').datasetId)).keys()]).toEqual(['nul\0']);
    await a().views.update(view.id, (present) => ({ ...present, name: 'w' }));
    await a().datasets.delete('d', 'forget');
    await b().upToDate();
    expect(b().datasets.list()).toEqual([]);
    expect((await b().views.list()).map(({ name }) => name)).toEqual(['w']);
  });

  test('the history of queries changes no version: every second it is written', async () => {
    const row = { collection: 'query_history', id: 'h', unique_key: null, dataset_id: null, body: '{}' };
    await a().database.insertInto('documents').values(row).execute();
    expect(await queryPostgres(url, "SELECT * FROM versions WHERE name = 'query_history'")).toEqual([]);
  });

  test('changes of rights take turns, and each knows what the one before did', async () => {
    let running = 0;
    const seen: number[] = [];
    const change = (each: Metadata, n: number) =>
      each.rightsChanges.run(async () => {
        expect(++running).toBe(1);
        seen.push(each.datasets.list().length);
        await each.datasets.create({ name: `d${n}`, who: '' });
        running--;
      });
    await Promise.all(Array.from({ length: 6 }, (_, n) => change(n % 2 === 0 ? a() : b(), n)));
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('turns for different datasets do not wait for one another', async () => {
    let letGo: () => void = () => undefined;
    const kept = new Promise<void>((resolve) => (letGo = resolve));
    const first = a().datasetNames.run('x', () => kept);
    expect(await b().datasetNames.run('y', async () => 'done')).toBe('done');
    letGo();
    await first;
    await b().datasetNames.run('x', async () => undefined);
  });

  test('a failed change leaves no trace, and the next one continues', async () => {
    const failing = a()
      .database.transaction()
      .execute(async (connection) => {
        await connection.insertInto('dropped_datasets').values({ id: 1, name: 'a', dropped: '' }).execute();
        await connection.insertInto('dropped_datasets').values({ id: 1, name: 'b', dropped: '' }).execute();
      });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await b().datasets.toDrop()).toEqual([]);
    await b().datasets.create({ name: 'd', who: '' });
  });

  test('a connection that blocks all others is closed after some seconds', async () => {
    const impatient = await openMetadataIn({ url, patience: 400 });
    const locked = { name: 'MetadataError', code: 'locked' };
    await a()
      .database.transaction()
      .execute(() => expect(impatient.datasets.create({ name: 'd', who: '' })).rejects.toMatchObject(locked));
    await impatient.datasets.create({ name: 'd', who: '' });
    await impatient.close();
  });

  test('a change waits for the lock for longer than PostgreSQL lets it wait at a time', async () => {
    const impatient = await openMetadataIn({ url, patience: 400 });
    let change: Promise<unknown> = Promise.resolve();
    await a()
      .database.transaction()
      .execute(async () => {
        change = impatient.datasets.create({ name: 'd', who: '' });
        await new Promise((resolve) => setTimeout(resolve, 450));
      });
    await expect(change).resolves.toMatchObject({ name: 'd' });
    await impatient.close();
  });

  test('a client that stops midway loses the lock, and its change is rolled back', async () => {
    const stopped = await openMetadataIn({ url, patience: 400 });
    const changing = stopped.database.transaction().execute(async (connection) => {
      await connection.insertInto('dropped_datasets').values({ id: 1, name: 'a', dropped: '' }).execute();
      await b().datasets.create({ name: 'd', who: '' });
      await connection.insertInto('dropped_datasets').values({ id: 2, name: 'b', dropped: '' }).execute();
    });
    await expect(changing).rejects.toMatchObject({ name: 'MetadataError', code: 'away' });
    expect(await b().datasets.toDrop()).toEqual([]);
    await stopped.close();
  });
});

test('texts are sorted by their bytes in both, whatever the database would do', async ({ skip }) => {
  if (isSkipped) skip();
  const metadata = await openMetadataIn({ url: await (await sharedPostgres()).place() });
  for (const name of ['b', 'A', 'a', 'B', '-', '10', '9', 'é']) await metadata.datasets.create({ name, who: '' });
  expect(metadata.datasets.list().map(({ name }) => name)).toEqual(['-', '10', '9', 'A', 'B', 'a', 'b', 'é']);
  await metadata.close();
});

test('both have the same tables and columns', async ({ skip }) => {
  if (isSkipped) skip();
  const url = await (await sharedPostgres()).place();
  await (await openMetadataIn({ url })).close();
  const sqlite = openSqlite(inMemory);
  const here = sqlite
    .prepare(
      "SELECT t.name || '.' || c.name AS name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
    )
    .all() as { name: string }[];
  const there = await queryPostgres(
    url,
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name NOT IN ('versions', 'home', 'steps_taken', 'nodes', 'field_news', 'field_news_pruned', 'pending_keys', 'unconfirmed_batches', 'arrival_order', 'arrivals', 'table_homes', 'removed_tables', 'events_place', 'event_shards', 'works_with')`,
  );
  expect(there.map(({ name }) => String(name)).toSorted()).toEqual(here.map(({ name }) => name).toSorted());
  sqlite.close();
});

test('steps of the tables are spelled for PostgreSQL', () =>
  expect(
    postgresStatement(
      'CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER, t TEXT NOT NULL, b BLOB) WITHOUT ROWID',
    ),
  ).toBe(
    'CREATE TABLE a (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n BIGINT, t TEXT COLLATE "C" NOT NULL, b BYTEA)',
  ));

describe.skipIf(isSkipped)('a server that is killed', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await openPostgresServer()));
  afterAll(() => server.end());

  test('fails everything with `away` until it is back, and has what was acknowledged', async () => {
    const url = await server.place();
    const metadata = await openMetadataIn({ url });
    const { id } = await metadata.users.owner();
    const { secret } = await metadata.tokens.create({ kind: 'personal', name: 't', userId: id });
    const authenticator = new Authenticator(metadata, limits);
    await authenticator.authenticate(`Bearer ${secret}`);
    const acknowledged: string[] = [];
    let going = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; going; n++) {
        const name = `d${writer}x${n}`;
        const made = await metadata.datasets.create({ name, who: '' }).then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ name: 'MetadataError' });
            return false;
          },
        );
        if (!made) return;
        acknowledged.push(name);
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(10);
    await server.kill();
    await Promise.all(writers);
    going = false;
    const away = { name: 'MetadataError', code: 'away' };
    // Cached data is not trusted.
    await expect(authenticator.authenticate(`Bearer ${secret}`)).rejects.toMatchObject(away);
    await expect(metadata.check()).rejects.toMatchObject(away);
    await expect(metadata.rightsChanges.run(async () => undefined)).rejects.toMatchObject(away);
    await server.start();
    await authenticator.authenticate(`Bearer ${secret}`);
    expect(metadata.datasets.list().map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged));
    await metadata.rightsChanges.run(async () => undefined);
    await metadata.datasets.create({ name: 'after', who: '' });
    await metadata.close();
  });

  test('one that hangs is no reason to hang: its connections are given up', async () => {
    const url = await server.place();
    const metadata = await openMetadataIn({ url, patience: 300 });
    server.signal('SIGSTOP');
    try {
      await expect(metadata.upToDate()).rejects.toMatchObject({ code: 'away' });
      await expect(metadata.datasets.create({ name: 'd', who: '' })).rejects.toMatchObject({ code: 'away' });
    } finally {
      server.signal('SIGCONT');
    }
    await metadata.datasets.create({ name: 'd', who: '' });
    await metadata.close();
  });
});
