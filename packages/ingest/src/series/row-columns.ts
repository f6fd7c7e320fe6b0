import { type Block, type FixedColumn, makeBlock } from '@millrace/events';

/** The distinct texts of a column. */
class Texts {
  readonly list: string[] = [];
  readonly #keys = new Map<string, number>();
  #last = '';
  #lastKey = 0;

  /** The number of a text, counted from 1. */
  keyOf(text: string): number {
    if (text === this.#last && this.#lastKey > 0) return this.#lastKey;
    let key = this.#keys.get(text);
    if (key === undefined) {
      key = this.list.push(text);
      this.#keys.set(text, key);
    }
    this.#last = text;
    this.#lastKey = key;
    return key;
  }
}

/** What a description says about a series. */
export interface SeriesDescription {
  readonly tags: string;
  readonly type: string;
  readonly temporality: string;
  readonly unit: string;
}

/** Estimated bytes of a row in memory and in the block, and of a description without its tags. */
const rowBytes = 64;
const descriptionBytes = 200;

const nanosecondsPerMillisecond = 1_000_000;
const half = 2 ** 32;

/**
 * The columns of the rows of a metrics dataset (docs/decisions/0036), while they are written. IDs
 * are two halves of 32 bits, because a `bigint` for each row would cost more than all else.
 */
export class RowColumns {
  /** Estimated memory. */
  bytes = 0;
  rows = 0;
  #capacity = 0;
  #times = new BigInt64Array(0);
  #timeWords = new Uint32Array(0);
  #ids = new BigInt64Array(0);
  #idWords = new Int32Array(0);
  #values = new Float64Array(0);
  #recordKeys = new Uint32Array(0);
  #metricKeys = new Uint32Array(0);
  readonly #records = new Texts();
  readonly #metrics = new Texts();
  /** Descriptions by row. */
  readonly #descriptions = new Map<number, SeriesDescription>();
  #earliest = Infinity;
  #latest = -Infinity;

  /**
   * Adds a row; `idLow` and `idHigh` are the halves of its series' ID.
   * @param time milliseconds since the epoch
   */
  add(record: string, metric: string, idLow: number, idHigh: number, time: number): void {
    if (this.rows === this.#capacity) this.#grow();
    const row = this.rows++;
    this.#recordKeys[row] = this.#records.keyOf(record);
    this.#metricKeys[row] = this.#metrics.keyOf(metric);
    this.#idWords[2 * row] = idLow;
    this.#idWords[2 * row + 1] = idHigh;
    // Milliseconds have less than 44 bits, so both products are exact.
    const high = Math.floor(time / half) * nanosecondsPerMillisecond;
    const low = (time % half) * nanosecondsPerMillisecond;
    this.#timeWords[2 * row] = low % half;
    this.#timeWords[2 * row + 1] = high + Math.floor(low / half);
    if (time < this.#earliest) this.#earliest = time;
    if (time > this.#latest) this.#latest = time;
    this.bytes += rowBytes;
  }

  /** Sets the value of the last row. */
  setValue(value: number): void {
    this.#values[this.rows - 1] = value;
  }

  /** Sets the description of the last row's series. */
  describe(description: SeriesDescription): void {
    this.#descriptions.set(this.rows - 1, description);
    this.bytes += descriptionBytes + description.tags.length;
  }

  #grow(): void {
    const capacity = Math.max(256, 2 * this.#capacity);
    const [times, ids, values] = [this.#times, this.#ids, this.#values];
    (this.#times = new BigInt64Array(capacity)).set(times);
    (this.#ids = new BigInt64Array(capacity)).set(ids);
    (this.#values = new Float64Array(capacity)).set(values);
    this.#timeWords = new Uint32Array(this.#times.buffer);
    this.#idWords = new Int32Array(this.#ids.buffer);
    const [records, metrics] = [this.#recordKeys, this.#metricKeys];
    (this.#recordKeys = new Uint32Array(capacity)).set(records);
    (this.#metricKeys = new Uint32Array(capacity)).set(metrics);
    this.#capacity = capacity;
  }

  /** The earliest and the latest time, nanoseconds since the epoch; absent without rows. */
  get times(): { readonly min: bigint; readonly max: bigint } | undefined {
    if (this.rows === 0) return undefined;
    const nanoseconds = (time: number): bigint => BigInt(time) * BigInt(nanosecondsPerMillisecond);
    return { min: nanoseconds(this.#earliest), max: nanoseconds(this.#latest) };
  }

  /** @throws BlockTooLarge */
  toBlock(limits: { readonly maxBlockBytes: number }): Block {
    if (this.rows === 0) return makeBlock(0, [], limits);
    return makeBlock(
      this.rows,
      [
        { kind: 'time', values: this.#times },
        this.#strings('record', this.#records.list, this.#recordKeys),
        this.#strings('metric', this.#metrics.list, this.#metricKeys),
        { kind: 'integer', field: 'series', values: this.#ids },
        ...this.#valueColumns(),
        ...this.#descriptionColumns(),
      ],
      limits,
    );
  }

  #strings = (field: string, texts: readonly string[], keys: Uint32Array, repeat = true): FixedColumn => ({
    kind: 'string',
    field,
    texts,
    keys,
    repeat,
  });

  #valueColumns(): readonly FixedColumn[] {
    const point = this.#records.keyOf(pointRecord);
    const nulls = new Uint8Array(this.rows);
    for (let row = 0; row < this.rows; row++) nulls[row] = this.#recordKeys[row] === point ? 0 : 1;
    return [{ kind: 'float', field: 'value', values: this.#values, nulls }];
  }

  #descriptionColumns(): readonly FixedColumn[] {
    if (this.#descriptions.size === 0) return [];
    return (['tags', 'type', 'temporality', 'unit'] as const).map((field) => {
      const texts = new Texts();
      const keys = new Uint32Array(this.rows);
      for (const [row, description] of this.#descriptions) keys[row] = texts.keyOf(description[field]);
      return this.#strings(field, texts.list, keys, field !== 'tags');
    });
  }
}

/** The record of rows that have a value. */
export const pointRecord = 'point';
