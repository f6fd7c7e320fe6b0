import type { LockedSchema } from '@millrace/events';
import { describePermission, type RequiredPermission } from '@millrace/http/access/authorize';
import { creatorOf } from '@millrace/http/access/identity';
import { createDataset, mapFieldsOf } from '@millrace/metadata/datasets/lifecycle';
import { httpError } from '@millrace/api/errors';
import { checkDatasetName } from '@millrace/metadata/dataset-names';
import type { DatasetRecord } from '@millrace/metadata/datasets';
import type { Metadata } from '@millrace/metadata/metadata';
import type { RequestContext } from '@millrace/http/route';
import { type DatasetKind, isMetrics } from '@millrace/api/schemas/dataset';
import type { Settings } from '@millrace/http/settings/settings';
import type { EventStorage } from '@millrace/storage/event-storage';
import type { IngestTarget } from './ingest.js';

interface TargetDependencies {
  readonly settings: Settings;
  readonly metadata: Metadata;
  readonly storage: EventStorage;
}

/** The sender of events, and the kind of dataset it would create. */
export interface Sender extends Pick<RequestContext, 'may' | 'principal'> {
  readonly kind?: DatasetKind;
}

const createPermission = { scope: 'org', resource: 'datasets', action: 'create' } as const satisfies RequiredPermission;

/** Datasets as the targets of events. */
export interface Targets {
  /**
   * @param kind of the data; events if omitted
   * @throws HttpError `ingest-dataset-not-found` when it has no table, `wrong-dataset-kind`
   */
  find(name: string, kind?: DatasetKind): Promise<IngestTarget | undefined>;
  /**
   * The target that a missing dataset would have; no events are stored in it.
   * @throws HttpError `ingest-dataset-not-found` if the server's settings do not allow to create
   * it, `ingest-dataset-not-created` if the sender's rights do not, `invalid-request` if its name
   * does not
   */
  draft(name: string, sender: Sender): IngestTarget;
  /** Creates the dataset of a draft, unless it was created in the meantime. */
  make(name: string, sender: Sender): Promise<IngestTarget>;
}

/** Finds and creates the datasets that events are sent to. */
export function ingestTargets({ settings, metadata, storage }: TargetDependencies): Targets {
  /**
   * Datasets being created: a dataset is registered before it can accept events, and exporters
   * start with several concurrent requests.
   */
  const making = new Map<string, Promise<DatasetRecord>>();

  function targetOf(record: DatasetRecord): IngestTarget {
    const { name, datasetId, mapFields } = record;
    const stored = storage.dataset(datasetId);
    if (stored === undefined) throw httpError('ingest-dataset-not-found', { name });
    const schema = lockedSchemaOf(record);
    const timeField = record.fieldRoles?.time;
    return {
      name,
      stored,
      mapFields: new Set(mapFields),
      ...(schema !== undefined && { schema }),
      ...(timeField !== undefined && { timeField }),
    };
  }

  return {
    async find(name, kind) {
      await making.get(name)?.catch(() => undefined);
      const record = metadata.datasets.find(name);
      if (record === undefined) return undefined;
      requireKind(record, kind);
      return targetOf(record);
    },

    draft(name, sender) {
      if (!settings.autoCreateDatasets) throw httpError('ingest-dataset-not-found', { name });
      if (!sender.may(createPermission))
        throw httpError('ingest-dataset-not-created', { name, need: describePermission(createPermission) });
      checkDatasetName(name);
      return { name, stored: storage.draft(), mapFields: new Set(mapFieldsOf(sender.kind)) };
    },

    async make(name, sender) {
      const creation = making.get(name) ?? create(name, sender);
      making.set(name, creation);
      try {
        const record = await creation;
        requireKind(record, sender.kind);
        return targetOf(record);
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
      // Another request may have created it in the meantime.
      const present = metadata.datasets.find(name);
      if (present === undefined) throw error;
      return present;
    }
  }
}

/** @throws HttpError `wrong-dataset-kind` for metrics in a dataset of events, and the reverse */
function requireKind({ name, kind }: DatasetRecord, sent: DatasetKind | undefined): void {
  if (isMetrics(kind) === isMetrics(sent)) return;
  throw httpError(
    'wrong-dataset-kind',
    isMetrics(kind)
      ? {
          name,
          kind,
          stored: 'metrics',
          sent: 'events',
          remedy: 'send events to another dataset, and metrics to POST /v1/metrics',
        }
      : {
          name,
          kind,
          stored: 'events',
          sent: 'metrics',
          remedy: 'create one with POST /v2/datasets {"name": "…", "kind": "otel:metrics:v1"}',
        },
  );
}

/**
 * The fields of a locked schema, in the encoder's form; `undefined` for a dataset that accepts all
 * fields.
 */
export function lockedSchemaOf({ schema }: DatasetRecord): LockedSchema | undefined {
  return schema && { fields: new Map(schema.map(({ name, types }) => [name, types])) };
}
