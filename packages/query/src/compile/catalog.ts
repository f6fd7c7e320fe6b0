import type { Catalog, Dataset as AplDataset, ReferenceData } from '@millrace/apl';
import { describePermission, type RequiredPermission } from '@millrace/http/access/authorize';
import { httpError } from '@millrace/api/errors';
import { isMetrics } from '@millrace/api/schemas/dataset';
import { resolveDatasetName } from '@millrace/metadata/dataset-names';
import type { DatasetRecord } from '@millrace/metadata/datasets';
import type { Metadata } from '@millrace/metadata/metadata';
import type { RequestContext } from '@millrace/http/route';
import { aplDataset } from '@millrace/storage/fields/variants';
import type { EventStorage } from '@millrace/storage/event-storage';

/** Sources of a catalog. */
export interface CatalogSource {
  readonly metadata: Metadata;
  readonly storage: EventStorage;
  readonly reference?: ReferenceData;
}

/**
 * The catalog of a caller: the datasets and views the caller may read, in their current state. A
 * view may read any dataset: its author needed permission to read it, and its readers need only
 * permission for the view. A wildcard in a view still covers only datasets that its reader may
 * read. Requesting a dataset that the caller may not read throws HttpError `forbidden`. A virtual
 * field that reads such a dataset is omitted, in a view too: the view's author may not have had
 * permission for the data that the field reads.
 * @param granted a dataset that is readable whatever the caller's permissions
 */
export async function catalogFor(
  { may }: Pick<RequestContext, 'may'>,
  { metadata, storage, reference }: CatalogSource,
  granted?: string,
): Promise<Catalog> {
  const dataset = datasetReader(storage, await virtualFieldsOf(metadata));
  const views = new Map((await metadata.views.list()).map(({ name, aplQuery }) => [name, aplQuery]));
  const readPermission = (name: string): RequiredPermission => ({
    scope: 'dataset',
    name,
    resource: 'query',
    action: 'read',
  });
  const mayRead = (name: string): boolean => name === granted || may(readPermission(name));
  const names = metadata.datasets
    .list()
    // One that is still being made has a record already, and no table. A wildcard that stood for it
    // would be an error.
    .filter((record) => storage.has(record) && !isMetrics(record.kind))
    .map(({ name }) => name)
    .filter(mayRead);
  const any = (name: string): AplDataset | undefined => {
    const record = metadata.datasets.find(resolveDatasetName(name));
    if (record !== undefined) requireEvents(record);
    return record && dataset(record);
  };
  const view = (name: string): string | undefined =>
    may({ scope: 'view', name, resource: 'query', action: 'read' }) ? views.get(name) : undefined;
  const readable = (name: string): AplDataset | undefined =>
    mayRead(resolveDatasetName(name)) ? any(name) : undefined;
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
    dataset: (requested) => {
      const name = resolveDatasetName(requested);
      // Anyone with a token can list the datasets, so calling one unknown would hide nothing: a
      // refusal should look like one.
      if (metadata.datasets.find(name) !== undefined && !mayRead(name))
        throw httpError('forbidden', { need: describePermission(readPermission(name)) });
      return any(name);
    },
    view,
    ...(reference !== undefined && { reference }),
    inViews,
    inVirtualFields: { names, dataset: readable, view, inViews: inViews.inVirtualFields.inViews },
  };
}

/** @throws HttpError `wrong-dataset-kind` for a dataset of metrics */
function requireEvents({ name, kind }: DatasetRecord): void {
  if (isMetrics(kind))
    throw httpError('wrong-dataset-kind', {
      name,
      kind,
      stored: 'metrics',
      sent: 'events',
      remedy: 'query it in MPL with POST /v1/query/_mpl',
    });
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
