import type { LockedSchema } from '@millrace/events';
import { describeNeed, type Need } from '../access/allowed.js';
import { creatorOf } from '../access/identity.js';
import { createDataset, mapFieldsOf } from '../datasets/lifecycle.js';
import { httpError } from '../errors.js';
import { checkDatasetName } from '../metadata/dataset-names.js';
import type { DatasetRecord } from '../metadata/datasets.js';
import type { Metadata } from '../metadata/metadata.js';
import type { Call } from '../http/route.js';
import type { DatasetKind } from '../schemas/dataset.js';
import type { Settings } from '../settings/settings.js';
import type { EventStorage } from '../storage/event-storage.js';
import type { IngestTarget } from './ingest.js';

interface TargetDependencies {
  readonly settings: Settings;
  readonly metadata: Metadata;
  readonly storage: EventStorage;
}

/** Who sends events, and what kind of dataset they would make. */
export interface Sender extends Pick<Call, 'may' | 'principal'> {
  readonly kind?: DatasetKind;
}

const creating = { scope: 'org', resource: 'datasets', action: 'create' } as const satisfies Need;

/** Datasets as the targets of events. */
export interface Targets {
  /** @throws HttpError `ingest-dataset-not-found` when it has no place for events */
  find(name: string): Promise<IngestTarget | undefined>;
  /**
   * What a missing dataset would be if it were made: a place that no event gets into.
   * @throws HttpError `ingest-dataset-not-found` if the server's settings do not allow to make it,
   * `ingest-dataset-not-created` if the sender's rights do not, `invalid-request` if its name does
   * not
   */
  draft(name: string, sender: Sender): IngestTarget;
  /** Makes the dataset of a draft, unless somebody has in the meantime. */
  make(name: string, sender: Sender): Promise<IngestTarget>;
}

/** Finds and makes the datasets events are sent to. */
export function ingestTargets({ settings, metadata, storage }: TargetDependencies): Targets {
  /**
   * Datasets being created: a dataset has a record before it can take events, and exporters begin
   * with several requests at once.
   */
  const making = new Map<string, Promise<DatasetRecord>>();

  function targetOf(record: DatasetRecord): IngestTarget {
    const { name, datasetId, mapFields } = record;
    const stored = storage.dataset(datasetId);
    if (stored === undefined) throw httpError('ingest-dataset-not-found', { name });
    const schema = lockedSchemaOf(record);
    return { name, stored, mapFields: new Set(mapFields), ...(schema !== undefined && { schema }) };
  }

  return {
    async find(name) {
      await making.get(name)?.catch(() => undefined);
      const record = metadata.datasets.find(name);
      return record && targetOf(record);
    },

    draft(name, sender) {
      if (!settings.autoCreateDatasets) throw httpError('ingest-dataset-not-found', { name });
      if (!sender.may(creating)) throw httpError('ingest-dataset-not-created', { name, need: describeNeed(creating) });
      checkDatasetName(name);
      return { name, stored: storage.draft(), mapFields: new Set(mapFieldsOf(sender.kind)) };
    },

    async make(name, sender) {
      const creation = making.get(name) ?? create(name, sender);
      making.set(name, creation);
      try {
        return targetOf(await creation);
      } finally {
        making.delete(name);
      }
    },
  };

  async function create(name: string, { principal, kind }: Sender): Promise<DatasetRecord> {
    const who = await creatorOf(metadata, principal);
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

/**
 * The fields a locked dataset takes, as the encoder wants them; `undefined` for a dataset that
 * takes all.
 */
export function lockedSchemaOf({ schema }: DatasetRecord): LockedSchema | undefined {
  return schema && { fields: new Map(schema.map(({ name, types }) => [name, types])) };
}
