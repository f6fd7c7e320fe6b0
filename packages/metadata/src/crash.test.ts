import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import LibsqlDatabase from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDataset, deleteDataset, finishDeletions } from './datasets/lifecycle.js';
import type { DatasetRef } from './datasets.js';
import { MemoryData } from './testing/memory-data.js';
import { databaseOver } from './database.js';
import { openSqlite } from './sqlite.js';
import { type Metadata, metadataOver, openMetadata } from './metadata.js';

/**
 * A `kill -9` between any two statements, and between them and the storage: after every statement,
 * and on both sides of every change of the storage, the files are copied as the operating system
 * has them, as a killed process would leave them. Each copy must open to a consistent catalog that
 * has everything acknowledged by then.
 */

interface Crash {
  readonly file: string;
  /** Names of acknowledged and not deleted datasets, and of deleted ones. */
  readonly created: readonly string[];
  readonly deleted: readonly string[];
  /** Ids of datasets that had a place in the storage. */
  readonly places: readonly number[];
}

/** A storage that crashes before and after each dataset it creates or removes. */
class CrashingData extends MemoryData {
  readonly #crash: () => void;

  constructor(crash: () => void) {
    super();
    this.#crash = crash;
  }

  override async createDataset(dataset: DatasetRef): Promise<void> {
    this.#crash();
    await super.createDataset(dataset);
    this.#crash();
  }

  override async deleteDataset(dataset: DatasetRef): Promise<void> {
    this.#crash();
    await super.deleteDataset(dataset);
    this.#crash();
  }
}

let directory: string;
const crashes: Crash[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-crash-'));
  const file = join(directory, 'metadata.sqlite');
  const data = new CrashingData(() => snapshot());
  const created = new Set<string>();
  const deleted = new Set<string>();
  const snapshot = (): void => {
    const copy = join(directory, `crash-${crashes.length}`, 'metadata.sqlite');
    mkdirSync(join(copy, '..'));
    for (const suffix of ['', '-wal'].filter((suffix) => existsSync(file + suffix)))
      copyFileSync(file + suffix, copy + suffix);
    crashes.push({ file: copy, created: [...created], deleted: [...deleted], places: [...data.places.keys()] });
  };
  const metadata = await metadataOver(databaseOver(openSqlite(file), snapshot), Date.now);
  await work(metadata, data, created, deleted);
  await metadata.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Makes every kind of change and records the acknowledged ones. */
async function work(metadata: Metadata, data: MemoryData, created: Set<string>, deleted: Set<string>): Promise<void> {
  const parts = { metadata, data };
  const owner = await metadata.users.owner();
  for (const name of ['a', 'b']) {
    await createDataset(parts, { name, who: 'me' });
    created.add(name);
    await metadata.datasets.update(name, () => ({ mapFields: ['m'] }));
    const { id } = await metadata.virtualFields.create({ dataset: name, name: 'v', expression: 'x' });
    await metadata.virtualFields.update(id, (present) => ({ ...present, expression: 'y' }));
    await metadata.fields.update(metadata.datasets.get(name), 'f', { unit: 'ms' });
  }
  // During a deletion both states are valid.
  created.delete('a');
  await deleteDataset(parts, 'a');
  deleted.add('a');
  const { token } = await metadata.tokens.create({ kind: 'api', name: 't', userId: owner.id });
  await metadata.tokens.regenerate(token.id, '2026-11-20T00:00:00Z', {});
  const user = await metadata.users.create({ email: 'b@example.com', name: 'B', role: 'user' });
  await metadata.tokens.create({ kind: 'personal', name: 'p', userId: user.id });
  await metadata.users.delete(user.id);
  await metadata.tokens.setOwnerToken(owner.id, 'xapt-00000000-0000-4000-8000-00000000000a');
  await metadata.tokens.setOwnerToken(owner.id, 'xapt-00000000-0000-4000-8000-00000000000b');
}

test('there are crashes to look at', () => expect(crashes.length).toBeGreaterThan(60));

test('some are half-way: a dataset without its place, a place whose dataset is gone, a deletion without its end', async () => {
  const seen = new Set<string>();
  for (const { file, places } of crashes) {
    const metadata = await openMetadata(file);
    const live = metadata.datasets.list().map(({ datasetId }) => datasetId);
    const dying = (await metadata.datasets.toDrop()).map(({ datasetId }) => datasetId);
    if (live.some((id) => !places.includes(id))) seen.add('no place yet');
    if (dying.some((id) => places.includes(id))) seen.add('still a place');
    if (dying.some((id) => !places.includes(id))) seen.add('not noted as gone');
    await metadata.close();
  }
  expect([...seen].sort()).toEqual(['no place yet', 'not noted as gone', 'still a place']);
});

test('after each, the catalog is whole and has what was acknowledged', async () => {
  for (const { file, created, deleted, places } of crashes) {
    const metadata = await openMetadata(file);
    const names = metadata.datasets.list().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...created]));
    expect(names.filter((name) => deleted.includes(name))).toEqual([]);

    // A dataset either exists or is pending removal; every stored place belongs to one of the two.
    const live = metadata.datasets.list().map(({ datasetId }) => datasetId);
    const dying = (await metadata.datasets.toDrop()).map(({ datasetId }) => datasetId);
    expect(live.filter((id) => dying.includes(id))).toEqual([]);
    expect([...live, ...dying]).toEqual(expect.arrayContaining([...places]));

    // All records belong to existing datasets and users.
    for (const { dataset } of await metadata.virtualFields.list()) expect(names).toContain(dataset);
    const users = (await metadata.users.list()).map(({ id }) => id);
    for (const { userId } of await metadata.tokens.list('personal')) expect(users).toContain(userId);
    expect((await metadata.tokens.list('personal')).filter(({ id }) => id === 'owner').length).toBeLessThanOrEqual(1);
    await metadata.close();
  }
});

test('after each, the next start finishes what was begun', async () => {
  for (const { file, places } of crashes) {
    const metadata = await openMetadata(file);
    const data = new MemoryData();
    for (const id of places) data.places.set(id, { datasetId: id, name: '' });
    await finishDeletions({ metadata, data }, (_, error) => {
      throw error;
    });
    expect(await metadata.datasets.toDrop()).toEqual([]);
    const live = metadata.datasets.list().map(({ datasetId }) => datasetId);
    expect([...data.places.keys()].filter((id) => !live.includes(id))).toEqual([]);
    await metadata.close();
  }
});

test('after each, the file is sound', () => {
  for (const { file } of crashes) {
    const sqlite = new LibsqlDatabase(file);
    expect(sqlite.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(sqlite.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    sqlite.close();
  }
});
