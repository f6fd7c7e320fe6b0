import { Yielder } from '@millrace/runtime/async/yield';
import type { OutputColumn } from '@millrace/apl';
import { noFieldMetadata } from '@millrace/metadata/field-metadata';
import { typeNameOf } from '@millrace/storage/fields/variants';
import type { CatalogSource } from '../compile/catalog.js';

interface FieldMeta {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly hidden: boolean;
  readonly description: string;
}

/**
 * Metadata of the fields in a result, by dataset: fields that it displays, groups by or aggregates,
 * with their stored type and the users' descriptions. Computed columns are not fields.
 */
export async function fieldsMetaMapOf(
  output: readonly OutputColumn[],
  datasets: readonly string[],
  { metadata, storage }: Pick<CatalogSource, 'metadata' | 'storage'>,
): Promise<Record<string, readonly FieldMeta[]>> {
  const names = [...new Set(output.flatMap(({ name, agg }) => (agg === undefined ? [name] : (agg.fields ?? []))))];
  const virtualFields = await metadata.virtualFields.list();
  const yielder = new Yielder();
  const byDataset: Record<string, readonly FieldMeta[]> = {};
  for (const dataset of datasets) {
    const record = metadata.datasets.find(dataset);
    if (record === undefined) continue;
    const virtual = new Map(virtualFields.flatMap((each) => (each.dataset === dataset ? [[each.name, each]] : [])));
    const descriptions = await metadata.fields.of(record.datasetId);
    const stored = storage.dataset(record.datasetId)?.fields;
    const fields: FieldMeta[] = [];
    for (const [i, name] of names.entries()) {
      if (i % 500 === 499) await yielder.maybeYield();
      const computed = virtual.get(name);
      const types = stored?.types(name);
      if (computed === undefined && types === undefined && !descriptions.has(name)) continue;
      const { unit, hidden, description } = descriptions.get(name) ?? noFieldMetadata;
      fields.push({
        name,
        type: computed?.type ?? (types === undefined ? '' : typeNameOf(types)),
        unit: unit || (computed?.unit ?? ''),
        hidden,
        description: description || (computed?.description ?? ''),
      });
    }
    byDataset[dataset] = fields;
  }
  return byDataset;
}
