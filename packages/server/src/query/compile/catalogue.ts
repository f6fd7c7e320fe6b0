import type { Catalogue, Dataset as AplDataset, ReferenceData } from '@millrace/apl';
import { describeNeed, type Need } from '../../access/allowed.js';
import { httpError } from '../../errors.js';
import { datasetMeant } from '../../metadata/dataset-names.js';
import type { DatasetRecord } from '../../metadata/datasets.js';
import type { Metadata } from '../../metadata/metadata.js';
import type { Call } from '../../http/route.js';
import { aplDataset } from '../../storage/fields/readings.js';
import type { EventStorage } from '../../storage/event-storage.js';

/** Where a catalogue comes from. */
export interface CatalogueSource {
  readonly metadata: Metadata;
  readonly storage: EventStorage;
  readonly reference?: ReferenceData;
}

/**
 * What the language may know about the data: the datasets and views the caller may read, as they
 * are now. A view may name any dataset: whoever stored it needed the right to read it, and its
 * readers need only the right to the view. A wildcard in a view still covers only the datasets its
 * reader may read. Asking for a dataset the caller may not read throws HttpError `forbidden`; a
 * virtual field that asks for one is left out, in a view too: whoever stored the view may have had
 * no right to what the field reads, whichever of them was stored first.
 * @param granted a dataset that is readable whatever the rights of the caller
 */
export async function catalogueFor(
  { may }: Pick<Call, 'may'>,
  { metadata, storage, reference }: CatalogueSource,
  granted?: string,
): Promise<Catalogue> {
  const dataset = datasetReader(storage, await virtualFieldsOf(metadata));
  const views = new Map((await metadata.views.list()).map(({ name, aplQuery }) => [name, aplQuery]));
  const reading = (name: string): Need => ({ scope: 'dataset', name, resource: 'query', action: 'read' });
  const mayRead = (name: string): boolean => name === granted || may(reading(name));
  const names = metadata.datasets
    .list()
    // One that is still being made has a record already, and no table. A wildcard that stood for it
    // would be an error.
    .filter((record) => storage.has(record))
    .map(({ name }) => name)
    .filter(mayRead);
  const meant = (name: string): string => datasetMeant(name, (one) => metadata.datasets.find(one) !== undefined);
  const any = (name: string): AplDataset | undefined => {
    const record = metadata.datasets.find(meant(name));
    return record === undefined ? undefined : dataset(record);
  };
  const view = (name: string): string | undefined =>
    may({ scope: 'view', name, resource: 'query', action: 'read' }) ? views.get(name) : undefined;
  const readable = (name: string): AplDataset | undefined => (mayRead(meant(name)) ? any(name) : undefined);
  const anyView = (name: string): string | undefined => views.get(name);
  const inViews = {
    names,
    dataset: any,
    view: anyView,
    inVirtualFields: {
      names,
      dataset: readable,
      view,
      // A field of a view of a field of a view: here views end.
      inViews: { names, dataset: any, view: anyView, inVirtualFields: { names, dataset: readable } },
    },
  };
  return {
    names,
    dataset: (asked) => {
      const name = meant(asked);
      // Anyone with a token can list the datasets, so calling one unknown would hide nothing: a
      // refusal should look like one.
      if (metadata.datasets.find(name) !== undefined && !mayRead(name))
        throw httpError('forbidden', { need: describeNeed(reading(name)) });
      return any(name);
    },
    view,
    ...(reference !== undefined && { reference }),
    inViews,
    inVirtualFields: { names, dataset: readable, view, inViews: inViews.inVirtualFields.inViews },
  };
}

async function virtualFieldsOf(metadata: Metadata): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const byDataset = new Map<string, Map<string, string>>();
  for (const { dataset, name, expression } of await metadata.virtualFields.list()) {
    const fields = byDataset.get(dataset) ?? new Map<string, string>();
    byDataset.set(dataset, fields.set(name, expression));
  }
  return byDataset;
}

/** Builds each dataset at most once per query. */
function datasetReader(
  storage: EventStorage,
  virtual: ReadonlyMap<string, ReadonlyMap<string, string>>,
): (record: DatasetRecord) => AplDataset | undefined {
  const made = new Map<string, AplDataset>();
  return ({ name, datasetId, mapFields }) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const stored = storage.dataset(datasetId);
    if (stored === undefined) return undefined;
    const dataset = aplDataset(name, stored, new Set(mapFields), virtual.get(name) ?? new Map());
    made.set(name, dataset);
    return dataset;
  };
}
