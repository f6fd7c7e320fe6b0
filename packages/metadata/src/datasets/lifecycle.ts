import { httpError } from '@millrace/api/errors';
import { isMetrics } from '@millrace/api/schemas/dataset';
import { customAttributes } from './custom-attributes.js';
import type { EventData } from './event-data.js';
import type { Clock } from '../clock.js';
import { auditDataset, checkDatasetName, refuseAudit } from '../dataset-names.js';
import type { DatasetRecord, DatasetRef, NewDataset } from '../datasets.js';
import type { Metadata } from '../metadata.js';

/**
 * A dataset's parts: the record in the metadata and the events in the storage, kept consistent
 * through crashes.
 */
export interface DatasetParts {
  readonly metadata: Metadata;
  readonly data: EventData;
}

const day = 86_400_000;

/**
 * Creates a dataset: first the record, then its place in the storage. A crash in between leaves a
 * dataset without a place, which the storage creates at the next start.
 * @throws HttpError `invalid-request`, `already-exists`, and errors of the storage, after which
 * there is no dataset; errors of the metadata, after which there may be one, whose place
 * `finishCreations` creates
 */
export async function createDataset({ metadata, data }: DatasetParts, dataset: NewDataset): Promise<DatasetRecord> {
  checkDatasetName(dataset.name);
  return create({ metadata, data }, { mapFields: mapFieldsOf(dataset.kind), ...dataset });
}

/**
 * Attributes outside the semantic conventions are arbitrary; as separate fields their number would
 * be unlimited.
 */
export const mapFieldsOf = (kind = ''): readonly string[] =>
  kind.startsWith('otel:') && !isMetrics(kind) ? [customAttributes] : [];

const create = ({ metadata, data }: DatasetParts, dataset: NewDataset): Promise<DatasetRecord> =>
  metadata.datasetNames.run(dataset.name, async () => {
    const shard = shardIn(data, dataset) ?? (await data.shards.emptiest(metadata.datasets.list()));
    const record = await metadata.datasets.create({ ...dataset, shard });
    try {
      await data.createDataset(record);
    } catch (error) {
      await metadata.datasets.delete(record.name, 'keep');
      throw error;
    }
    return record;
  });

/** The requested shard. @throws HttpError `invalid-request` when it does not exist */
function shardIn({ shards }: EventData, { shard }: NewDataset): number | undefined {
  const there = shards.ready().length;
  const usable = shards.usable();
  if (shard === undefined || shard <= usable) return shard;
  if (shard <= there)
    throw httpError('invalid-request', {
      problem: `some nodes do not use shard ${shard} yet; restart them with its address, or retry when GET /v1/nodes lists only nodes that do`,
    });
  throw httpError('invalid-request', { problem: `shard ${shard} not found; list shards with GET /v1/shards` });
}

/**
 * Removes a dataset: first the record and the rights on it, which hides it, then the events.
 * `finishDeletions` completes a deletion that a crash interrupted.
 * @throws HttpError `dataset-not-found`, `protected-resource`
 */
export async function deleteDataset(parts: DatasetParts, name: string): Promise<void> {
  refuseAudit(name, 'deleted');
  const { datasets, datasetNames, rightsChanges } = parts.metadata;
  // A dataset of this name that is being created is completed first: otherwise its place would be
  // created after the deletion has looked for one.
  const forget = () => rightsChanges.run(() => datasets.delete(name, 'forget'));
  await removeData(parts, await datasetNames.run(name, forget));
}

/**
 * Removes the events of datasets whose deletion a crash or a failure of the storage interrupted. A
 * failing one stops neither the others nor a start; it is tried again with the next call.
 */
export async function finishDeletions(
  parts: DatasetParts,
  failed: (dropped: DatasetRef, error: unknown) => void,
): Promise<void> {
  for (const dropped of await parts.metadata.datasets.toDrop()) {
    try {
      await removeData(parts, dropped);
    } catch (error) {
      failed(dropped, error);
    }
  }
}

async function removeData({ metadata, data }: DatasetParts, dropped: DatasetRef): Promise<void> {
  await data.deleteDataset(dropped);
  await metadata.datasets.recordDropped(dropped.datasetId);
}

/**
 * Creates the missing places of datasets: a place could not be created, as on a full disk, and then
 * its record could not be removed either. Without this the dataset would be listed and accept no
 * events until the next start. A failing one does not stop the others.
 */
export async function finishCreations(
  { metadata, data }: DatasetParts,
  failed: (dataset: DatasetRef, error: unknown) => void,
): Promise<void> {
  const { datasets, datasetNames } = metadata;
  for (const record of datasets.list()) {
    if (data.has(record)) continue;
    // A dataset being created is completed first, and one deleted by then stays deleted.
    const finish = async (): Promise<void> => {
      const isThere = datasets.find(record.name)?.datasetId === record.datasetId;
      if (isThere && !data.has(record)) await data.createDataset(record);
    };
    await datasetNames.run(record.name, finish).catch((error: unknown) => failed(record, error));
  }
}

/** The dataset for audit events, created if missing. */
export async function ensureAuditDataset(parts: DatasetParts): Promise<DatasetRecord> {
  const present = parts.metadata.datasets.find(auditDataset);
  if (present !== undefined) return present;
  try {
    return await create(parts, { name: auditDataset, who: 'millrace', description: 'Every change and every refusal.' });
  } catch (error) {
    // Another process that shares the metadata may have created it at the same time.
    const made = parts.metadata.datasets.find(auditDataset);
    if (made === undefined) throw error;
    return made;
  }
}

/**
 * Removes events past the datasets' retention; returns how many. Continues with the others when one
 * dataset fails. A deletion may be queued for hours; the retention at its start counts.
 * @param signal when it aborts, no further dataset is begun
 */
export async function applyRetention(
  { metadata, data }: DatasetParts,
  clock: Clock,
  failed: (dataset: DatasetRecord, error: unknown) => void,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (const dataset of metadata.datasets.list()) {
    if (signal?.aborted === true) break;
    const olderThan = (): bigint | undefined => {
      const present = metadata.datasets.find(dataset.name);
      return present?.datasetId === dataset.datasetId ? expiryOf(present, clock()) : undefined;
    };
    if (olderThan() === undefined) continue;
    try {
      removed += await data.deletions.expire(dataset, olderThan);
    } catch (error) {
      failed(dataset, error);
    }
  }
  return removed;
}

/**
 * The time before which the events of a dataset are past its retention, nanoseconds since the
 * epoch; undefined without retention.
 */
const expiryOf = ({ useRetentionPeriod, retentionDays }: DatasetRecord, now: number): bigint | undefined =>
  useRetentionPeriod && retentionDays > 0 ? BigInt(now - retentionDays * day) * 1_000_000n : undefined;
