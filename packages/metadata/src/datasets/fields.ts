import { sortYielding } from '@millrace/runtime/async/sort-yielding';
import type { DatasetRecord } from '../datasets.js';
import { noFieldMetadata } from '../field-metadata.js';
import type { DatasetField } from '@millrace/api/schemas/dataset';
import type { DatasetParts } from './lifecycle.js';

/** Fields per chunk of a list. */
const inOnePiece = 500;

/** Fields of every event: event time and ingest time. No field of an event can have these names. */
const times: ReadonlyMap<string, string> = new Map([
  ['_sysTime', 'datetime'],
  ['_time', 'datetime'],
]);

/** The fields of a dataset, possibly millions, with their descriptions by users. */
interface FieldList {
  /** Number of all fields, including the times. */
  readonly size: number;
  /** All fields, including the times, by name, in chunks. */
  pieces(): AsyncGenerator<readonly DatasetField[]>;
  /** Some fields of events, without the times, in no particular order. */
  some(max: number): readonly DatasetField[];
  /** Undefined when the field has neither events nor a description. */
  find(name: string): DatasetField | undefined;
}

export async function fieldsOf({ metadata, data }: DatasetParts, dataset: DatasetRecord): Promise<FieldList> {
  const descriptions = await metadata.fields.of(dataset.datasetId);
  const stored = data.fields(dataset);
  const typeOf = (name: string): string | undefined => times.get(name) ?? stored.typeOf(name);
  const onlySaid = [...descriptions.keys()].filter((name) => typeOf(name) === undefined);
  const field = (name: string): DatasetField => ({
    name,
    type: typeOf(name) ?? '',
    ...(descriptions.get(name) ?? noFieldMetadata),
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
      const inOrder = await sortYielding(withTimes());
      for (let from = 0; from < inOrder.length; from += inOnePiece)
        yield inOrder.slice(from, from + inOnePiece).map(field);
    },
    some: (max) => {
      const first: DatasetField[] = [];
      for (const name of names()) {
        if (first.length >= max) break;
        first.push(field(name));
      }
      return first;
    },
    find: (name) => (descriptions.has(name) || typeOf(name) !== undefined ? field(name) : undefined),
  };
}
