import { copyFile, mkdir, readdir, realpath, rename, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Engine, isPattern, openEmbedded, patternProblem } from '@millrace/engine';
import { parsePhysicalName, physicalName } from '@millrace/events';
import { openMetadata } from '../metadata/metadata.js';
import { Opened } from '../async/opened.js';
import { Answers } from '../storage/remembered-answers.js';
import type { FieldNews } from '../storage/fields/dataset.js';
import { FieldStore } from '../storage/fields/field-store.js';
import type { FieldAndType } from '../storage/fields/fields.js';
import { InventoryStore } from '../storage/inventory/inventory-store.js';
import { usesInOverflow } from '../storage/tables/in-overflow.js';
import { layOut } from '../storage/tables/layout.js';
import { loadSnapshot } from '../storage/tables/snapshot.js';
import { emptyOf } from '../storage/tables/empty-columns.js';
import { usualColumn } from '../storage/tables/new-column.js';
import { addColumns, createDatabase, createTable, dropColumns } from '../storage/tables/table-of-dataset.js';
import { metadataName } from '../metadata/sqlite.js';
import { type Manifest, readManifest, requireIntact } from './manifest.js';
import { sync, syncTree } from './sync-tree.js';
import { inWorkplace } from './workplace.js';

interface RestoreOptions {
  readonly backup: string;
  /** Must be empty or missing; appears complete or not at all. */
  readonly dataDir: string;
  /** Called before each dataset is loaded. */
  readonly progress?: (dataset: string, bytes: number) => void;
}

/**
 * Makes a data directory from a backup.
 * @throws Error with a message for the operator: no backup, a damaged file, a directory that is not
 * empty
 */
export async function restoreBackup({ backup, dataDir, progress = () => {} }: RestoreOptions): Promise<void> {
  const manifest = await readManifest(backup);
  await requireEmpty(dataDir);
  // Where a link leads: the directory that is built is renamed, and must lie on the same disk.
  const target = await realpath(dataDir).catch(() => resolve(dataDir));
  for (const path of [resolve(backup), target]) if (isPattern(path)) throw new Error(patternProblem(path));
  await requireReplaceable(target);
  for (const file of manifest.files) await requireIntact(backup, file);
  await inWorkplace(`${target}.restoring`, async (building) => {
    await copyFile(join(backup, metadataName), join(building, metadataName));
    await load(manifest, backup, building, progress);
    await syncTree(building);
    await removeEmpty(target);
    await rename(building, target);
    await sync(dirname(target));
  });
}

const load = (
  manifest: Manifest,
  backup: string,
  building: string,
  progress: NonNullable<RestoreOptions['progress']>,
): Promise<void> =>
  Opened.during(async (opened) => {
    const metadata = await openMetadata(join(building, metadataName));
    opened.add(() => metadata.close());
    const engine = await openEmbedded({
      directory: join(building, 'engine'),
      scratchDirectory: join(building, 'scratch'),
    });
    opened.add(() => engine.close());
    await createDatabase(engine);
    const store = new FieldStore(metadata.database);
    const columns = new Map<number, FieldNews[]>();
    for await (const { datasetId, fields } of store.load()) {
      const known = columns.get(datasetId) ?? [];
      columns.set(datasetId, known);
      known.push(...fields.filter(({ where }) => where === 'column'));
    }
    for (const { datasetId, name } of metadata.datasets.list()) {
      const file = manifest.files.find((candidate) => candidate.datasetId === datasetId);
      if (file !== undefined) progress(name, file.bytes);
      const known = columns.get(datasetId) ?? [];
      await loadTable({ engine, store, datasetId, known }, backup, file);
      // Idempotency keys from after the backup's cut are forgotten: they would be answered as
      // repeated, but their events are not here.
      await new Answers(metadata.database, 0).forgetAfter(datasetId, BigInt(manifest.position));
      // The log of the new directory starts empty; its positions continue after those of the rows.
      await store.checkpoint(datasetId, BigInt(manifest.position));
    }
    await new InventoryStore(metadata.database).clear();
    await opened.close();
  });

interface Table {
  readonly engine: Engine;
  readonly store: FieldStore;
  readonly datasetId: number;
  /** The fields that have columns according to the metadata of the backup. */
  readonly known: readonly FieldNews[];
}

/** Builds the table of a dataset as it was at the backup's cut. */
async function loadTable(
  { engine, store, datasetId, known }: Table,
  backup: string,
  file: Manifest['files'][number] | undefined,
): Promise<void> {
  await createTable(engine, datasetId);
  // A dataset without a file was created after the cut. Backups of older versions do not list the
  // columns.
  const layout = file === undefined ? [] : file.columns;
  if (layout !== undefined) await layOut(engine, datasetId, layout);
  const there = (layout ?? []).flatMap(({ name }) => parsePhysicalName(name) ?? []);
  const names = layout && new Set(there.map(nameOf));
  const was = (column: FieldAndType): boolean => names?.has(nameOf(column)) ?? true;
  // No row has a value of a field that first came after the cut. Its column is created when the
  // field comes again, to suit its values then.
  await store.remove(datasetId, { column: known.filter((column) => !was(column)), overflow: [] });
  await addColumns(engine, datasetId, known.filter(was).map(usualColumn));
  const loaded = file === undefined ? [] : await loadSnapshot(engine, datasetId, resolve(backup, file.name), was);
  const forgotten = await dropForgotten(engine, datasetId, [...there, ...loaded], known);
  // A vacuum may have removed fields after the data of the backup was read and before its metadata
  // was.
  await store.add(
    datasetId,
    loaded
      .filter((column) => !forgotten.has(nameOf(column)))
      .map((column) => ({ ...column, where: 'column' as const })),
  );
  for await (const uses of usesInOverflow(engine, datasetId))
    await store.add(
      datasetId,
      uses.map((use) => ({ ...use, where: 'overflow' as const })),
    );
}

/**
 * Removes columns without a value that the metadata does not know, and returns their names: a
 * vacuum that was cut short has forgotten them and left them in the table. Other fields are missing
 * from the metadata because, between the reading of the data and that of the metadata, their events
 * were deleted and a vacuum followed.
 */
async function dropForgotten(
  engine: Engine,
  datasetId: number,
  there: readonly FieldAndType[],
  known: readonly FieldAndType[],
): Promise<ReadonlySet<string>> {
  const unknown = new Map(there.map((column) => [nameOf(column), column]));
  for (const column of known) unknown.delete(nameOf(column));
  const empty = await emptyOf(engine, datasetId, [...unknown.values()]);
  await dropColumns(engine, datasetId, empty);
  return new Set(empty.map(nameOf));
}

const nameOf = ({ field, type }: FieldAndType): string => physicalName(field, type);

/** @throws Error when the directory has entries, or is a file */
async function requireEmpty(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new Error(`${directory} is a file; restore into a new directory`);
    throw error;
  });
  if (entries.length > 0) throw notEmpty(directory);
}

/**
 * Checked before the work rather than after it, by doing what will be done in the end.
 * @throws Error when the directory cannot be replaced, for example because a disk is mounted there
 */
async function requireReplaceable(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  if (found === undefined) return;
  await removeEmpty(directory);
  await mkdir(directory, { mode: found.mode & 0o777 });
}

/**
 * Removes the target if it is still empty: a restore takes time, and a server may have stored data
 * there meanwhile.
 */
async function removeEmpty(directory: string): Promise<void> {
  try {
    await rmdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') throw notEmpty(directory);
    if (code === 'EBUSY')
      throw new Error(
        `${directory} is where a disk is mounted, and cannot be replaced; restore into a new directory in it`,
        { cause: error },
      );
    throw error;
  }
}

const notEmpty = (directory: string): Error => new Error(`${directory} is not empty; restore into a new directory`);
