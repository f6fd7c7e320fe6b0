import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Engine, isPattern, openEmbedded, patternProblem } from '@millrace/engine';
import { parsePhysicalName, physicalName } from '@millrace/events';
import { type DatasetRef, withinShards } from '../metadata/datasets.js';
import { openMetadata } from '../metadata/metadata.js';
import { Opened } from '../async/opened.js';
import { Answers } from '../storage/remembered-answers.js';
import type { FieldNews } from '../storage/fields/dataset.js';
import { FieldStore } from '../storage/fields/field-store.js';
import type { FieldAndType } from '../storage/fields/fields.js';
import { numberOfLog } from '../storage/given-up.js';
import { InventoryStore } from '../storage/inventory/inventory-store.js';
import { usesInOverflow } from '../storage/tables/in-overflow.js';
import { layOut } from '../storage/tables/layout.js';
import { loadSnapshot } from '../storage/tables/snapshot.js';
import { emptyOf } from '../storage/tables/empty-columns.js';
import { usualColumn } from '../storage/tables/new-column.js';
import { addColumns, createDatabase, createTable, dropColumns } from '../storage/tables/table-of-dataset.js';
import { metadataName } from '../metadata/sqlite.js';
import { type Manifest, readManifest, requireIntact } from './manifest.js';

interface BuildOptions {
  readonly manifest: Manifest;
  /** Directory of the backup, which is intact. */
  readonly backup: string;
  /** An empty directory. */
  readonly building: string;
  /** Called before each dataset is loaded. */
  readonly progress?: ((dataset: string, bytes: number) => void) | undefined;
  /** How many shards there are for the datasets. Default: one. */
  readonly shards?: number;
  /** Called with the engine that has all events, before it is closed, and with all datasets. */
  readonly made?: (engine: Engine, datasets: readonly DatasetRef[]) => Promise<void>;
}

/** @throws Error when the engine would take one of the paths for a pattern */
export function requireNoPatterns(...paths: readonly string[]): void {
  for (const path of paths) if (isPattern(path)) throw new Error(patternProblem(path));
}

/**
 * Reads the manifest of a backup and all its files.
 * @throws Error with a message for the operator: no backup, a damaged file
 */
export async function intactBackup(backup: string): Promise<Manifest> {
  const manifest = await readManifest(backup);
  for (const file of manifest.files) await requireIntact(backup, file);
  return manifest;
}

/** Makes what a data directory holds from a backup. */
export const buildRestored = ({
  manifest,
  backup,
  building,
  progress,
  shards = 1,
  made,
}: BuildOptions): Promise<void> =>
  Opened.during(async (opened) => {
    await copyFile(join(backup, metadataName), join(building, metadataName));
    const metadata = await openMetadata(join(building, metadataName));
    opened.add(() => metadata.close());
    const engine = await openEmbedded({
      directory: join(building, 'engine'),
      scratchDirectory: join(building, 'scratch'),
    });
    opened.add(() => engine.close());
    await createDatabase(engine);
    await withinShards(metadata.database, shards);
    await metadata.datasets.reload();
    const store = new FieldStore(metadata.database);
    const columns = new Map<number, FieldNews[]>();
    for await (const { datasetId, fields } of store.load()) {
      const known = columns.get(datasetId) ?? [];
      columns.set(datasetId, known);
      known.push(...fields.filter(({ where }) => where === 'column'));
    }
    for (const { datasetId, name } of metadata.datasets.list()) {
      const file = manifest.files.find((candidate) => candidate.datasetId === datasetId);
      if (file !== undefined) progress?.(name, file.bytes);
      const known = columns.get(datasetId) ?? [];
      await loadTable({ engine, store, datasetId, known }, backup, file);
      // Idempotency keys from after the backup's cut are forgotten: they would be answered as
      // repeated, but their events are not here.
      await new Answers(metadata.database, 0).forgetAfter(datasetId, BigInt(manifest.position));
      // The log of the new directory starts empty; its positions continue after those of the rows.
      await store.checkpoint(datasetId, BigInt(manifest.position));
    }
    // Nor has it given anything up.
    await store.forgetCheckpoint(numberOfLog);
    await new InventoryStore(metadata.database).clear();
    await made?.(engine, metadata.datasets.list());
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
