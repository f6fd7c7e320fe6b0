import { httpError } from '../errors.js';
import { customAttributes } from './custom-attributes.js';
import type { EventData } from './event-data.js';
import type { Clock } from '../metadata/clock.js';
import { auditDataset, checkDatasetName, refuseAudit } from '../metadata/dataset-names.js';
import type { DatasetRecord, DatasetRef, NewDataset } from '../metadata/datasets.js';
import type { Metadata } from '../metadata/metadata.js';

/**
 * What a dataset consists of: the record in the metadata and the events in the storage. They are
 * kept together through crashes.
 */
export interface DatasetParts {
  readonly metadata: Metadata;
  readonly data: EventData;
}

const day = 86_400_000;

/**
 * Makes a dataset: first the record, then its place in the storage. A crash in between leaves a
 * dataset without a place, which the storage makes at the next start.
 * @throws HttpError `invalid-request`, `already-exists`, and what the storage throws, in which case
 * there is no dataset; what the metadata throw, in which case there may be one, whose place
 * `finishCreations` makes
 */
export async function createDataset({ metadata, data }: DatasetParts, dataset: NewDataset): Promise<DatasetRecord> {
  checkDatasetName(dataset.name);
  return create({ metadata, data }, { mapFields: mapFieldsOf(dataset.kind), ...dataset });
}

/**
 * Attributes that no convention names are anybody's: as fields of their own they would be without
 * number.
 */
export const mapFieldsOf = (kind = ''): readonly string[] => (kind.startsWith('otel:') ? [customAttributes] : []);

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

/** The shard that somebody wants. @throws HttpError `invalid-request` when there is no such one */
function shardIn({ shards }: EventData, { shard }: NewDataset): number | undefined {
  const there = shards.ready().length;
  if (shard === undefined || shard <= there) return shard;
  throw httpError('invalid-request', { problem: `there is no shard ${shard}; GET /v1/shards lists those there are` });
}

/**
 * Removes a dataset: first the record and the rights on it, so that nothing finds it any more, then
 * the events. A crash in between is made good by `finishDeletions`.
 * @throws HttpError `dataset-not-found`, `protected-resource`
 */
export async function deleteDataset(parts: DatasetParts, name: string): Promise<void> {
  refuseAudit(name, 'deleted');
  const { datasets, datasetNames, rightsChanges } = parts.metadata;
  // A dataset of this name that is being made is made first: its place would be made after the
  // deletion has looked for one.
  const forget = () => rightsChanges.run(() => datasets.delete(name, 'forget'));
  await removeData(parts, await datasetNames.run(name, forget));
}

/**
 * Removes the events of datasets whose deletion a crash or a failure of the storage interrupted.
 * One that fails keeps neither the others nor a start; it is tried again with the next call.
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
  await metadata.datasets.dropped(dropped.datasetId);
}

/**
 * Makes the places of datasets that have none: one could not be made, as on a full disk, and then
 * its record could not be removed either. Without this it would be listed and take no events until
 * the next start. One that fails does not keep the others.
 */
export async function finishCreations(
  { metadata, data }: DatasetParts,
  failed: (dataset: DatasetRef, error: unknown) => void,
): Promise<void> {
  const { datasets, datasetNames } = metadata;
  for (const record of datasets.list()) {
    if (data.has(record)) continue;
    // One that is being made is made first, and one that is gone by then stays gone.
    const finish = async (): Promise<void> => {
      const isThere = datasets.find(record.name)?.datasetId === record.datasetId;
      if (isThere && !data.has(record)) await data.createDataset(record);
    };
    await datasetNames.run(record.name, finish).catch((error: unknown) => failed(record, error));
  }
}

/** The dataset audit events go to, made when it is missing. */
export async function ensureAuditDataset(parts: DatasetParts): Promise<DatasetRecord> {
  const present = parts.metadata.datasets.find(auditDataset);
  if (present !== undefined) return present;
  try {
    return await create(parts, { name: auditDataset, who: 'millrace', description: 'Every change and every refusal.' });
  } catch (error) {
    // Another process that shares the metadata may have made it at the same time.
    const made = parts.metadata.datasets.find(auditDataset);
    if (made === undefined) throw error;
    return made;
  }
}

/**
 * Removes what is older than the datasets' retention; how many events. One dataset's failure does
 * not keep the others. A deletion may wait for hours behind others: what counts is the retention
 * that its dataset has when its turn has come.
 * @param signal when it aborts, no other dataset is begun
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
 * epoch; undefined if it keeps all of them.
 */
const expiryOf = ({ useRetentionPeriod, retentionDays }: DatasetRecord, now: number): bigint | undefined =>
  useRetentionPeriod && retentionDays > 0 ? BigInt(now - retentionDays * day) * 1_000_000n : undefined;
