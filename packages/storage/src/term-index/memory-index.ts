import { wordPlaces } from '@millrace/apl';
import type { Engine } from '@millrace/engine';
import { queryNumbers } from '../tables/query.js';
import { blocksIn } from './native-blocks.js';
import { maxSpans, type Occurrence, quotedWordTable, stretchOfSpan, unite } from './term-table.js';

/**
 * The term index of a dataset in memory, so that lookups take microseconds instead of a statement:
 * the rows of the table, in the order of its keys.
 */
export interface MemoryTermIndex {
  /** A term and its column hash. */
  readonly keys: Uint32Array;
  /** The span of each, as an index into `spans`. */
  readonly spanOf: Uint16Array;
  readonly spans: readonly Occurrence['stretch'][];
}

/** Bytes of a key and its span. */
const rowBytes = 6;

export const bytesOf = ({ keys }: MemoryTermIndex): number => rowBytes * keys.length;

/** Keys that are read at once: three megabytes. */
const keysOfStep = 2 ** 19;
const allKeys = 2 ** 32;

/** Lowest key of a term; lower keys are marks. */
const firstKey = wordPlaces;

/** Loads the index of a dataset; undefined if it takes more bytes. */
export async function readWords(
  engine: Engine,
  datasetId: number,
  maxBytes: number,
): Promise<MemoryTermIndex | undefined> {
  const from = `FROM ${quotedWordTable(datasetId)} WHERE word >= ${firstKey}`;
  const [[rows = 0n] = []] = await queryNumbers(engine, `SELECT toInt64(count()) ${from}`, 1);
  if (Number(rows) * rowBytes > maxBytes) return undefined;
  const spans = await queryNumbers(engine, `SELECT DISTINCT toInt64(level), span ${from}`, 2);
  if (spans.length > 2 ** 16) return undefined;
  const list = (values: readonly (bigint | number)[]): string => values.join(', ');
  const idOf = (span: string, level: string): string => `${span} * 64 + ${level}`;
  const index =
    `transform(${idOf('span', 'toInt64(level)')}, CAST([${list(spans.map(([level, span]) => span! * 64n + level!))}], 'Array(Int64)'), ` +
    `CAST([${list(spans.map((_, i) => i))}], 'Array(UInt16)'), toUInt16(0))`;
  const keys = new Uint32Array(Number(rows));
  const spanOf = new Uint16Array(Number(rows));
  const steps = Math.max(1, Math.ceil(Number(rows) / keysOfStep));
  let filled = 0;
  for (let step = 0; step < steps; step++) {
    const [low, high] = [step, step + 1].map((at) => Math.floor((allKeys / steps) * at));
    const { body } = await engine.query(
      `SELECT word, ${index} ${from} AND word >= ${low} AND word < ${high} ORDER BY word SETTINGS max_threads = 1`,
      { format: 'Native', priority: 'low' },
    );
    for (const { rows, columns } of blocksIn(body, [keys.BYTES_PER_ELEMENT, spanOf.BYTES_PER_ELEMENT])) {
      // Terms were added since they were counted; the process that adds terms loads the index
      // again.
      if (filled + rows > keys.length) return undefined;
      bytesIn(keys.subarray(filled)).set(columns[0]!);
      bytesIn(spanOf.subarray(filled)).set(columns[1]!);
      filled += rows;
    }
  }
  return {
    keys: keys.subarray(0, filled),
    spanOf: spanOf.subarray(0, filled),
    spans: spans.map(([level, span]) => stretchOfSpan(Number(level), span!)),
  };
}

const bytesIn = ({ buffer, byteOffset, byteLength }: Uint32Array | Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/**
 * The spans in which all terms occur; one of all times if there are very many.
 * @param numbers of the terms
 */
export function keptSpansWith(kept: MemoryTermIndex, numbers: readonly number[]): readonly Occurrence[] {
  const ranges = numbers.map((number) => rangeOf(kept.keys, number));
  const rarest = ranges.reduce((a, b) => (b.to - b.from < a.to - a.from ? b : a));
  const candidates = placesBySpan(kept, rarest, undefined);
  const found = ranges.map((range) => (range === rarest ? candidates : placesBySpan(kept, range, candidates)));
  const spans = [...candidates.keys()]
    .filter((span) => found.every((places) => places.has(span)))
    .map((span) => ({ stretch: kept.spans[span]!, places: found.map((places) => places.get(span)!) }));
  return spans.length < maxSpans ? spans : unite(spans);
}

/** Rows of a term; the end is exclusive. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The column hashes of a term, a bit each, by its spans. */
function placesBySpan(
  { keys, spanOf }: MemoryTermIndex,
  { from, to }: Range,
  only: ReadonlyMap<number, number> | undefined,
): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at++) {
    const span = spanOf[at]!;
    if (only?.has(span) === false) continue;
    places.set(span, (places.get(span) ?? 0) | (1 << (keys[at]! % wordPlaces)));
  }
  return places;
}

const rangeOf = (keys: Uint32Array, word: number): Range => ({
  from: firstAtLeast(keys, word * wordPlaces),
  to: firstAtLeast(keys, (word + 1) * wordPlaces),
});

function firstAtLeast(keys: Uint32Array, key: number): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
