import { createDataset, creatorOf, lockedSchemaOf } from '../datasets.js';
import { httpError } from '../errors.js';
import type { DatasetRecord } from '../metadata/datasets.js';
import type { Metadata } from '../metadata/metadata.js';
import type { Call } from '../routes/route.js';
import type { Settings } from '../settings.js';
import type { Storage } from '../storage/storage.js';
import type { IngestTarget } from './ingest.js';

export interface TargetDependencies {
  readonly settings: Settings;
  readonly metadata: Metadata;
  readonly storage: Storage;
}

/**
 * The dataset events are sent to; made first if the server does so and the token may.
 * @throws HttpError `ingest-dataset-not-found`
 */
export async function targetOf(
  name: string,
  call: Pick<Call, 'may' | 'principal'>,
  { settings, metadata, storage }: TargetDependencies,
): Promise<IngestTarget> {
  const record = metadata.datasets.find(name) ?? (await autoCreate());
  const stored = storage.dataset(record.datasetId);
  if (stored === undefined) throw httpError('ingest-dataset-not-found', { name });
  const schema = lockedSchemaOf(record);
  return { name, stored, mapFields: new Set(record.mapFields), ...(schema !== undefined && { schema }) };

  async function autoCreate(): Promise<DatasetRecord> {
    const may = settings.autoCreateDatasets && call.may({ scope: 'org', resource: 'datasets', action: 'create' });
    if (!may) throw httpError('ingest-dataset-not-found', { name });
    try {
      return await createDataset({ metadata, data: storage }, { name, who: await creatorOf(metadata, call.principal) });
    } catch (error) {
      // Another request made it first.
      const made = metadata.datasets.find(name);
      if (made === undefined) throw error;
      return made;
    }
  }
}
