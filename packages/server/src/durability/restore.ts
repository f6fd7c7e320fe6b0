import { copyFile, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openEmbedded } from '@millrace/engine';
import { nodeFileSystem } from '@millrace/log';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { openMetadata } from '../metadata/metadata.js';
import { openAnswers } from '../storage/answers.js';
import { openFieldStore } from '../storage/fields/field-store.js';
import { loadSnapshot } from '../storage/tables/snapshot.js';
import { addColumns, createDatabase, createTable } from '../storage/tables/table.js';
import { hashOfFile } from './file-hash.js';
import { sync, syncTree } from './sync-tree.js';

/**
 * A backup on disk is this manifest, the metadata, and one Parquet file per dataset. The manifest is written last, so a directory without it is no
 * backup.
 */
export const manifestName = 'manifest.json';
export const metadataName = 'metadata.sqlite';

export const Manifest = Type.Object({
  format: Type.Literal(1),
  created: Type.String(),
  position: Type.String({ pattern: '^\\d{1,19}$' }),
  files: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z0-9.]+$' }),
      bytes: Type.Integer(),
      sha256: Type.String(),
      /** Absent for the metadata. */
      datasetId: Type.Optional(Type.Integer()),
    }),
  ),
});
export type Manifest = Static<typeof Manifest>;

export interface RestoreOptions {
  readonly backup: string;
  /** Must be empty or missing; appears complete or not at all. */
  readonly dataDir: string;
  readonly progress?: (message: string) => void;
}

/**
 * Makes a data directory from a backup.
 * @throws Error with a message for the operator: no backup, a damaged file, a directory that is not empty
 */
export async function restoreBackup({ backup, dataDir, progress = () => {} }: RestoreOptions): Promise<void> {
  const manifest = await readManifest(backup);
  await requireEmpty(dataDir);
  for (const file of manifest.files) await requireIntact(backup, file);
  const target = resolve(dataDir);
  const building = `${target}.restoring`;
  await rm(building, { recursive: true, force: true });
  await nodeFileSystem.makeDirectory(building);
  await copyFile(join(backup, metadataName), join(building, metadataName));
  await load(manifest, backup, building, progress);
  await syncTree(building);
  await removeEmpty(target);
  await rename(building, target);
  await sync(dirname(target));
}

async function load(
  manifest: Manifest,
  backup: string,
  building: string,
  progress: (message: string) => void,
): Promise<void> {
  const metadata = await openMetadata(join(building, metadataName));
  const engine = await openEmbedded({
    directory: join(building, 'engine'),
    scratchDirectory: join(building, 'scratch'),
  });
  try {
    await createDatabase(engine);
    const store = openFieldStore(metadata.database);
    const { fields } = await store.load();
    for (const { datasetId, name } of metadata.datasets.list()) {
      await createTable(engine, datasetId);
      await addColumns(
        engine,
        datasetId,
        (fields.get(datasetId) ?? []).filter(({ where }) => where === 'column'),
      );
      const file = manifest.files.find((candidate) => candidate.datasetId === datasetId);
      if (file !== undefined) {
        progress(`${name}: ${file.bytes} bytes`);
        const columns = await loadSnapshot(engine, datasetId, resolve(backup, file.name));
        // A vacuum may have removed fields after the data of the backup was read and before its metadata was.
        await store.add(
          datasetId,
          columns.map((column) => ({ ...column, where: 'column' })),
        );
      }
      // Idempotency keys from after the backup's cut are forgotten: they would be answered as repeated, but their events are not here.
      await openAnswers(metadata.database, 0).forgetAfter(datasetId, BigInt(manifest.position));
      // The log of the new directory starts empty; its positions continue after those of the rows.
      await store.checkpoint(datasetId, BigInt(manifest.position));
    }
  } finally {
    await engine.close();
    await metadata.close();
  }
}

async function readManifest(backup: string): Promise<Manifest> {
  const path = join(backup, manifestName);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${backup} holds no complete backup: ${manifestName} is missing`);
  });
  const parsed = parseJson(text);
  if (!Value.Check(Manifest, parsed)) throw new Error(`${path} is not a manifest this version can read`);
  return parsed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws Error when there is anything, or a file of that name */
async function requireEmpty(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new Error(`${directory} is a file; restore into a new directory`);
    throw error;
  });
  if (entries.length > 0) throw notEmpty(directory);
}

/** A restore takes its time: what was empty when it began may hold a server's data by now. */
async function removeEmpty(directory: string): Promise<void> {
  try {
    await rmdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw code === 'ENOTEMPTY' || code === 'EEXIST' ? notEmpty(directory) : error;
  }
}

const notEmpty = (directory: string): Error => new Error(`${directory} is not empty; restore into a new directory`);

async function requireIntact(backup: string, { name, bytes, sha256 }: Manifest['files'][number]): Promise<void> {
  const path = join(backup, name);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Error(`${path} is missing from the backup`);
  if (found.size !== bytes || (await hashOfFile(path)) !== sha256)
    throw new Error(`${path} is damaged: it is not what the backup wrote`);
}
