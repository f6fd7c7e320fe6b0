import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyMetadata } from '@millrace/server/backup/metadata-copy';
import { openMetadataOrFail } from '@millrace/server/startup/open-metadata-database';
import { FieldStore } from '@millrace/storage/fields/field-store';
import { sharedPostgres, whyNoPostgres } from '../testing/postgres.js';
import { type Metadata, openMetadata } from '../metadata.js';
import { metadataIn, openMetadataOf } from '../open-metadata.js';
import { writeHome } from './binding-record.js';

let directory = '';
let other = '';
let url = '';
beforeEach(async () => {
  [directory, other] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'millrace-home-'))) as [string, string];
});
afterEach(() => {
  for (const each of [directory, other]) rmSync(each, { recursive: true });
});

const file = (): string => join(directory, 'metadata.sqlite');
const field = (name: string) => ({ field: name, type: 'string', where: 'overflow' }) as const;

/** Adds rows to nearly every table. */
async function fill(metadata: Metadata): Promise<void> {
  const owner = await metadata.users.owner();
  const { token } = await metadata.tokens.create({ kind: 'personal', name: 't', userId: owner.id });
  await metadata.sessions.begin({ tokenId: token.id, address: 'a', agent: 'b' }, { idle: 1e9, longest: 1e9 });
  await metadata.org.rename('mine');
  for (const name of ['a', 'b', 'gone']) await metadata.datasets.create({ name, who: 'é' });
  await metadata.datasets.delete('gone', 'forget');
  await metadata.fields.update(metadata.datasets.get('a'), 'nul\0', { unit: 'ms' });
  await metadata.virtualFields.create({ dataset: 'a', name: 'v', expression: 'x' } as never);
  await metadata.annotations.create({ title: 'quote \u0001 " \u2028' } as never);
  await metadata.dashboards.write('uid', 'me', { records: 10, bytes: 1000, versionBytes: 1000 }, () => ({
    owner: 'o',
    name: 'n',
    document: '{"a": 1.0}',
    message: '',
  }));
  const many = Array.from({ length: 1200 }, (_, n) => field(`f${n}`));
  await new FieldStore(metadata.database).add(1, [...many, field('nul\0in'), field('')]);
  const refused = { position: '7', dataset_id: 1, payload: Buffer.from([0, 255, 1]), not_before: null };
  await metadata.database.insertInto('refused_batches').values(refused).execute();
}

/** All stored metadata, as text. */
async function all(metadata: Metadata): Promise<string> {
  const fields: unknown[] = [];
  for await (const some of new FieldStore(metadata.database).load()) fields.push(some);
  const rows = await metadata.database.selectFrom('refused_batches').selectAll().execute();
  return JSON.stringify({
    org: await metadata.org.get(),
    users: await metadata.users.list(),
    tokens: await metadata.tokens.list('personal'),
    sessions: await metadata.sessions.list({ idle: 1e12, longest: 1e12 }),
    datasets: metadata.datasets.list(),
    described: [...(await metadata.fields.of(1))],
    dropped: await metadata.datasets.toDrop(),
    highest: await metadata.datasets.highestId(),
    virtual: await metadata.virtualFields.list(),
    annotations: await metadata.annotations.list(),
    dashboards: (await metadata.dashboards.list(['o'], { limit: 9, offset: 0 }).next()).value,
    fields,
    refused: rows.map(({ payload, ...row }) => ({ ...row, payload: [...new Uint8Array(payload)] })),
  });
}

async function inFile(work: (metadata: Metadata) => Promise<void> = fill): Promise<string> {
  const metadata = await openMetadata(file());
  await work(metadata);
  const text = await all(metadata);
  await metadata.close();
  return text;
}

const open = async (at = directory): Promise<Metadata> => metadataIn(await openMetadataOrFail(at, url, 0));

describe.skipIf(whyNoPostgres() !== undefined)('a directory whose metadata are in a database', () => {
  beforeEach(async () => void (url = await (await sharedPostgres()).place()));

  test('begins with what its file had, and the file is put aside', async () => {
    const before = await inFile();
    const metadata = await open();
    expect(await all(metadata)).toBe(before);
    // IDs continue.
    expect((await metadata.datasets.create({ name: 'new', who: '' })).datasetId).toBe(4);
    await metadata.annotations.create({ title: 'later' } as never);
    await metadata.close();
    expect(readdirSync(directory).toSorted()).toEqual(['database.json', 'metadata.sqlite.moved']);
    const again = await open();
    expect(again.datasets.list().map(({ name }) => name)).toEqual(['a', 'b', 'new']);
    await again.close();
  });

  test('goes on after a crash between any two steps', async () => {
    const before = await inFile();
    // The directory is bound, but the database does not record it yet.
    writeHome(directory, { directory: 'me', moved: false });
    await (await open()).close();
    // The database has everything, but that is not recorded yet; or the file is not renamed yet.
    for (const moved of [false, true]) {
      writeHome(directory, { directory: 'me', moved });
      writeFileSync(file(), 'of before');
      const metadata = await open();
      expect(await all(metadata)).toBe(before);
      await metadata.close();
      expect(existsSync(file())).toBe(false);
    }
  });

  test('begins empty without a file', async () => {
    const metadata = await open();
    expect(metadata.datasets.list()).toEqual([]);
    await metadata.close();
  });

  test('has one database, and the database one directory', async () => {
    await (await open()).close();
    await expect(open(other)).rejects.toThrow('it has the metadata of another data directory');
    url = await (await sharedPostgres()).place();
    await expect(open()).rejects.toThrow('not the one with the metadata of this data directory');
    await expect(openMetadataOf(directory, url)).rejects.toThrow('not the one');
    await expect(openMetadataOf(directory, undefined)).rejects.toThrow('set MILLRACE_DATABASE_URL');
  });

  test('is also open to a process next to the server', async () => {
    const server = await open();
    const beside = await openMetadataOf(directory, url);
    await beside.datasets.create({ name: 'd', who: '' });
    await server.upToDate();
    expect(server.datasets.list()).toHaveLength(1);
    await beside.close();
    await server.close();
  });

  test('can be copied into a file, which has everything, while others write', async () => {
    await inFile();
    const metadata = await open();
    let going = true;
    const writing = (async (): Promise<void> => {
      for (let n = 0; going; n++) await metadata.annotations.create({ title: `${n}` } as never);
    })();
    const copied = await copyMetadata(metadata.database, other);
    going = false;
    await writing;
    const copy = join(other, 'copy.sqlite');
    writeFileSync(copy, await copied.readFile());
    await copied.close();
    expect(readdirSync(other)).toEqual(['copy.sqlite']);
    const read = await openMetadata(copy);
    const [there, here] = [await all(read), await all(metadata)].map(
      (text) => JSON.parse(text) as Record<string, unknown>,
    );
    // The annotations are a snapshot from some moment of the copy.
    for (const [name, value] of Object.entries(there!))
      if (name !== 'annotations') expect([name, value]).toEqual([name, here![name]]);
    expect((await read.datasets.create({ name: 'new', who: '' })).datasetId).toBe(4);
    await read.close();
    await metadata.close();
  });

  test.each([
    ['nobody there', (): string => 'postgres://u:secret@127.0.0.1:1/d', /cannot be reached at 127.0.0.1:1\/d: /],
    [
      'no such database',
      (): string => url.replace('/postgres?', '/nowhere?'),
      /DATABASE_URL: the server refuses it: database "nowhere" does not exist/,
    ],
    [
      'no such user',
      (): string => url.replace('postgres@', 'nobody:secret@'),
      /the server refuses it: role "nobody" does not exist/,
    ],
    ['commits that are lost', (): string => `${url}%20-c%20synchronous_commit%3Doff`, /synchronous_commit is off/],
  ] as const)('%s is reported without the password', async (_, address, message) => {
    const said = await openMetadataOrFail(directory, address(), 0).then(
      () => 'opened',
      (error: unknown) => String(error),
    );
    expect(said).toMatch(message);
    expect(said).not.toContain('secret');
  });
});
