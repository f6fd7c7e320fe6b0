import { sorted } from '../async/sorted.js';
import type { DatasetRecord } from '../metadata/datasets.js';
import { noFieldMetadata } from '../metadata/field-metadata.js';
import type { DatasetField } from '../schemas/dataset.js';
import type { DatasetParts } from './lifecycle.js';

/** Fields in one piece of a list. */
const inOnePiece = 500;

/**
 * What every event has: when it happened, and when it arrived. No field of an event can be called
 * so.
 */
const times: ReadonlyMap<string, string> = new Map([
  ['_sysTime', 'datetime'],
  ['_time', 'datetime'],
]);

/** The fields of a dataset, of which there may be millions, with what users said about them. */
interface FieldList {
  /** Of all, the times included. */
  readonly size: number;
  /** All, the times included, in the order of their names, in pieces. */
  pieces(): AsyncGenerator<readonly DatasetField[]>;
  /** Some of those that events bring along, in no particular order. */
  some(most: number): readonly DatasetField[];
  /** Undefined when no event has the field and nobody said anything about it. */
  find(name: string): DatasetField | undefined;
}

export async function fieldsOf({ metadata, data }: DatasetParts, dataset: DatasetRecord): Promise<FieldList> {
  const said = await metadata.fields.of(dataset.datasetId);
  const stored = data.fields(dataset);
  const typeOf = (name: string): string | undefined => times.get(name) ?? stored.typeOf(name);
  const onlySaid = [...said.keys()].filter((name) => typeOf(name) === undefined);
  const field = (name: string): DatasetField => ({
    name,
    type: typeOf(name) ?? '',
    ...(said.get(name) ?? noFieldMetadata),
  });
  function* names(): Generator<string> {
    yield* stored.names();
    yield* onlySaid;
  }
  function* withTimes(): Generator<string> {
    yield* times.keys();
    yield* names();
  }
  return {
    size: times.size + stored.size + onlySaid.length,
    async *pieces() {
      const inOrder = await sorted(withTimes());
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
    find: (name) => (said.has(name) || typeOf(name) !== undefined ? field(name) : undefined),
  };
}
