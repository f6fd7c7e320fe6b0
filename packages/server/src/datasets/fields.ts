import { sorted } from '../async/sorted.js';
import type { DatasetRecord } from '../metadata/datasets.js';
import { noFieldMetadata } from '../metadata/field-metadata.js';
import type { DatasetField } from '../schemas/dataset.js';
import type { DatasetParts } from './lifecycle.js';

/** Fields in one piece of a list. */
const inOnePiece = 500;

/** The fields of a dataset, of which there may be millions, with what users said about them. */
interface FieldList {
  readonly size: number;
  /** In the order of their names, in pieces. */
  pieces(): AsyncGenerator<readonly DatasetField[]>;
  /** Some of them, in no particular order. */
  some(most: number): readonly DatasetField[];
  /** Undefined when no event has the field and nobody said anything about it. */
  find(name: string): DatasetField | undefined;
}

export async function fieldsOf({ metadata, data }: DatasetParts, dataset: DatasetRecord): Promise<FieldList> {
  const said = await metadata.fields.of(dataset.datasetId);
  const stored = data.fields(dataset);
  const onlySaid = [...said.keys()].filter((name) => stored.typeOf(name) === undefined);
  const field = (name: string): DatasetField => ({
    name,
    type: stored.typeOf(name) ?? '',
    ...(said.get(name) ?? noFieldMetadata),
  });
  function* names(): Generator<string> {
    yield* stored.names();
    yield* onlySaid;
  }
  return {
    size: stored.size + onlySaid.length,
    async *pieces() {
      const inOrder = await sorted(names());
      for (let from = 0; from < inOrder.length; from += inOnePiece)
        yield inOrder.slice(from, from + inOnePiece).map(field);
    },
    some: (most) => {
      const first: DatasetField[] = [];
      for (const name of names()) {
        if (first.length >= most) break;
        first.push(field(name));
      }
      return first;
    },
    find: (name) => (said.has(name) || stored.typeOf(name) !== undefined ? field(name) : undefined),
  };
}
