import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { engineOfOrg } from '@millrace/storage/tables/database-name';
import { type Engine, isPattern, openEmbedded, patternProblem } from '@millrace/engine';
import { parsePhysicalName, physicalName } from '@millrace/events';
import { type DatasetRef, withinShards } from '@millrace/metadata/datasets';
import { openMetadata } from '@millrace/metadata/metadata';
import { CloseStack } from '@millrace/runtime/async/close-stack';
import { IdempotencyStore } from '@millrace/storage/idempotency-store';
import type { SchemaChange } from '@millrace/storage/fields/dataset';
import { FieldStore } from '@millrace/storage/fields/field-store';
import type { FieldAndType } from '@millrace/storage/fields/fields';
import { numberOfLog } from '@millrace/storage/truncation-checkpoint';
import { InventoryStore } from '@millrace/storage/inventory/inventory-store';
import { usesInOverflow } from '@millrace/storage/tables/in-overflow';
import { layOut } from '@millrace/storage/tables/layout';
import { loadSnapshot } from '@millrace/storage/tables/snapshot';
import { emptyOf } from '@millrace/storage/tables/empty-columns';
import { standardColumn } from '@millrace/storage/tables/new-column';
import { addColumns, createDatabase, createTable, dropColumns } from '@millrace/storage/tables/table-of-dataset';
import { metadataName } from '@millrace/metadata/sqlite';
import { type Manifest, readManifest, requireIntact } from './manifest.js';

interface BuildOptions {
  readonly manifest: Manifest;
  /** Directory of the backup, which is intact. */
  readonly backup: string;
  /** An empty directory. */
  readonly building: string;
  /** Called before each dataset is loaded. */
  readonly progress?: ((dataset: string, bytes: number) => void) | undefined;
  /** Number of shards for the datasets. Default: one. */
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

/** Builds the content of a data directory from a backup. */
export const buildRestored = ({
  manifest,
  backup,
  building,
  progress,
  shards = 1,
  made,
}: BuildOptions): Promise<void> =>
  CloseStack.run(async (opened) => {
    await copyFile(join(backup, metadataName), join(building, metadataName));
    const metadata = await openMetadata(join(building, metadataName));
    opened.add(() => metadata.close());
    const whole = await openEmbedded({
      directory: join(building, 'engine'),
      scratchDirectory: join(building, 'scratch'),
    });
    opened.add(() => whole.close());
    // A backup of a further organization becomes the first one of its own server.
    const engine = engineOfOrg(whole, metadata.datasets.orgNumber);
    await createDatabase(engine);
    await withinShards(metadata.database, shards);
    await metadata.datasets.reload();
    const store = new FieldStore(metadata.database);
    const columns = new Map<number, SchemaChange[]>();
    for await (const { datasetId, fields } of store.load()) {
      const known = columns.get(datasetId) ?? [];
      columns.set(datasetId, known);
      known.push(...fields.filter(({ where }) => where === 'column'));
    }
    // It only deletes, so its limits do not matter.
    const answers = new IdempotencyStore(metadata.database, { idempotencyWindow: 0, idempotencyKeys: 0 });
    for (const { datasetId, name, kind } of metadata.datasets.list()) {
      const file = manifest.files.find((candidate) => candidate.datasetId === datasetId);
      if (file !== undefined) progress?.(name, file.bytes);
      const known = columns.get(datasetId) ?? [];
      await loadTable({ engine, store, datasetId, kind, known }, backup, file);
      // Deletes idempotency keys from after the backup: they would report events as repeated that
      // are not restored.
      await answers.forgetAfter(datasetId, BigInt(manifest.position));
      // The log of the new directory starts empty; its positions continue after those of the rows.
      await store.checkpoint(datasetId, BigInt(manifest.position));
    }
    // Nor has it a truncation checkpoint.
    await store.forgetCheckpoint(numberOfLog);
    await new InventoryStore(metadata.database).clear();
    await made?.(engine, metadata.datasets.list());
    await opened.close();
  });

interface Table {
  readonly engine: Engine;
  readonly store: FieldStore;
  readonly datasetId: number;
  readonly kind: string;
  /** The fields that have columns according to the metadata of the backup. */
  readonly known: readonly SchemaChange[];
}

/** Builds the table of a dataset as it was at the backup's cut. */
async function loadTable(
  { engine, store, datasetId, kind, known }: Table,
  backup: string,
  file: Manifest['files'][number] | undefined,
): Promise<void> {
  await createTable(engine, datasetId, { kind });
  // A dataset without a file was created after the cut. Backups of older versions do not list the
  // columns.
  const layout = file === undefined ? [] : file.columns;
  if (layout !== undefined) await layOut(engine, datasetId, layout);
  const there = (layout ?? []).flatMap(({ name }) => parsePhysicalName(name) ?? []);
  const names = layout && new Set(there.map(nameOf));
  const was = (column: FieldAndType): boolean => names?.has(nameOf(column)) ?? true;
  // Fields that first occurred after the backup have no values. Their columns are created when the
  // field occurs again, with a type for its values then.
  await store.remove(datasetId, { column: known.filter((column) => !was(column)), overflow: [] });
  await addColumns(engine, datasetId, known.filter(was).map(standardColumn));
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
 * Removes empty columns that the metadata does not know, and returns their names: an interrupted
 * vacuum deleted their fields but not the columns. Other columns are unknown because their events
 * were deleted, and the fields vacuumed, between reading the data and reading the metadata.
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
