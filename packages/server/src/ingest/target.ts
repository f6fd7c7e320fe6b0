import type { LockedSchema } from '@millrace/events';
import { creatorOf } from '../access/identity.js';
import { createDataset } from '../datasets/lifecycle.js';
import { httpError } from '../errors.js';
import type { DatasetRecord } from '../metadata/datasets.js';
import type { Metadata } from '../metadata/metadata.js';
import type { Call } from '../http/route.js';
import type { DatasetKind } from '../schemas/dataset.js';
import type { Settings } from '../settings/settings.js';
import type { Storage } from '../storage/storage.js';
import type { IngestTarget } from './ingest.js';

interface TargetDependencies {
  readonly settings: Settings;
  readonly metadata: Metadata;
  readonly storage: Storage;
}

export type FindTarget = (
  name: string,
  call: Pick<Call, 'may' | 'principal'>,
  kind?: DatasetKind,
) => Promise<IngestTarget>;

/**
 * Makes a function that finds the dataset events are sent to. A missing one is created, with the given kind, if the server's settings and the token's
 * rights allow that; otherwise the function throws HttpError `ingest-dataset-not-found`.
 */
export function targetFinder({ settings, metadata, storage }: TargetDependencies): FindTarget {
  /** Datasets being created: a dataset has a record before it can take events, and exporters begin with several requests at once. */
  const making = new Map<string, Promise<DatasetRecord>>();

  return async (name, call, kind) => {
    await making.get(name)?.catch(() => undefined);
    const record = metadata.datasets.find(name) ?? (await made(name, call, kind));
    const stored = storage.dataset(record.datasetId);
    if (stored === undefined) throw httpError('ingest-dataset-not-found', { name });
    const schema = lockedSchemaOf(record);
    return { name, stored, mapFields: new Set(record.mapFields), ...(schema !== undefined && { schema }) };
  };

  async function made(name: string, call: Pick<Call, 'may' | 'principal'>, kind?: DatasetKind): Promise<DatasetRecord> {
    const may = settings.autoCreateDatasets && call.may({ scope: 'org', resource: 'datasets', action: 'create' });
    if (!may) throw httpError('ingest-dataset-not-found', { name });
    const creation = making.get(name) ?? create(name, call, kind);
    making.set(name, creation);
    try {
      return await creation;
    } finally {
      making.delete(name);
    }
  }

  async function create(name: string, call: Pick<Call, 'principal'>, kind?: DatasetKind): Promise<DatasetRecord> {
    const who = await creatorOf(metadata, call.principal);
    try {
      return await createDataset({ metadata, data: storage }, { name, who, kind });
    } catch (error) {
      // Somebody else may have created it in the meantime.
      const present = metadata.datasets.find(name);
      if (present === undefined) throw error;
      return present;
    }
  }
}

/** The fields a locked dataset takes, as the encoder wants them; `undefined` for a dataset that takes all. */
export function lockedSchemaOf({ schema }: DatasetRecord): LockedSchema | undefined {
  return schema && { fields: new Map(schema.map(({ name, types }) => [name, types])) };
}
