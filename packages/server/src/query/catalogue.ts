import type { Catalogue, Dataset as AplDataset, ReferenceData } from '@millrace/apl';
import type { Call } from '../routes/route.js';
import type { Metadata } from '../metadata/metadata.js';
import { aplDataset } from '../storage/readings.js';
import type { Storage } from '../storage/storage.js';

export interface CatalogueSources {
  readonly metadata: Metadata;
  readonly storage: Storage;
  readonly reference?: ReferenceData;
}

/** What the language may know of the data: the datasets and views the caller may read, as they are now. */
export async function catalogueFor(
  { may }: Pick<Call, 'may'>,
  { metadata, storage, reference }: CatalogueSources,
): Promise<Catalogue> {
  const readable = metadata.datasets
    .list()
    .filter(({ name }) => may({ scope: 'dataset', name, resource: 'query', action: 'read' }));
  const records = new Map(readable.map((record) => [record.name, record]));
  const virtual = new Map<string, Map<string, string>>();
  for (const { dataset, name, expression } of await metadata.virtualFields.list()) {
    const fields = virtual.get(dataset) ?? new Map<string, string>();
    virtual.set(dataset, fields.set(name, expression));
  }
  const views = new Map(
    (await metadata.views.list())
      .filter(({ name }) => may({ scope: 'view', name, resource: 'query', action: 'read' }))
      .map(({ name, aplQuery }) => [name, aplQuery]),
  );
  const made = new Map<string, AplDataset>();
  return {
    names: [...records.keys()],
    dataset: (name) => {
      const known = made.get(name);
      if (known !== undefined) return known;
      const record = records.get(name);
      const stored = record === undefined ? undefined : storage.dataset(record.datasetId);
      if (record === undefined || stored === undefined) return undefined;
      const dataset = aplDataset(name, stored, new Set(record.mapFields), virtual.get(name) ?? new Map());
      made.set(name, dataset);
      return dataset;
    },
    view: (name) => views.get(name),
    ...(reference !== undefined && { reference }),
  };
}
