import { Arena } from './columns/bytes.js';
import type { Column } from './columns/column.js';
import type { NativeBody } from './columns/native-body.js';
import { ALL_TYPES, Field, TYPE_BIT, type FieldColumn } from './columns/field.js';
import type { TextHabits } from './columns/text-habits.js';
import type { Drop, EncodeOptions } from './encode.js';
import { storedName, type FieldType } from './fields.js';

interface DropEntry {
  readonly field: string;
  readonly reason: Drop['reason'];
  count: number;
}

/**
 * The rows of a batch while they are read. An event appends its values one by one and is then committed or rolled back;
 * a field that comes twice in one event keeps the later value.
 */
export class Batch {
  readonly arena = new Arena();
  /** Finished events. */
  rows = 0;
  readonly #options: EncodeOptions;
  readonly #habits: TextHabits | undefined;
  readonly #fields = new Map<string, Field>();
  /** Fields with a value in the current event, and perhaps some that lost it again. */
  readonly #touched: Field[] = [];
  #touchedCount = 0;
  /** `_time` of each row, in the engine's own array: written through a view it takes eight times as long. */
  #times = new BigInt64Array(8);
  #earliest = 0n;
  #latest = 0n;
  readonly #drops = new Map<string, DropEntry>();
  readonly #eventDrops: (DropEntry | undefined)[] = [];
  #droppedElsewhere = 0;

  constructor(options: EncodeOptions) {
    this.#options = options;
    this.#habits = options.habits?.begin();
  }

  /** The field an event calls `name`. */
  field(name: string): Field {
    const stored = storedName(name);
    let field = this.#fields.get(stored);
    if (field === undefined) {
      field = new Field(stored, this.#allowed(stored), this.#habits);
      this.#fields.set(stored, field);
    }
    return field;
  }

  #allowed(name: string): number {
    const { schema } = this.#options;
    if (schema === undefined) return ALL_TYPES;
    return (schema.fields.get(name) ?? []).reduce((bits, type) => bits | TYPE_BIT[type], 0);
  }

  /** The current event is about to give `field` a value: an earlier one of the same event goes. */
  begin(field: Field): void {
    if (field.row === this.rows) this.clear(field);
    this.#touched[this.#touchedCount++] = field;
  }

  /** The value went to `column`. */
  end(field: Field, column: Column): void {
    field.row = this.rows;
    field.column = column;
  }

  /** The current event has no value for `field` after all. */
  clear(field: Field): void {
    if (field.row !== this.rows) return;
    field.column!.undo();
    field.row = -1;
  }

  /** The current event loses a value because of the schema. */
  refuse(field: Field, saw: FieldType): void {
    this.clear(field);
    const allowed = this.#options.schema?.fields.get(field.name);
    if (allowed === undefined) this.#drop(field.name, 'undeclared', () => ({ kind: 'undeclared' }));
    else this.#drop(field.name, saw, () => ({ kind: 'type', allowed, saw }));
  }

  /** The current event loses the value of a field whose name is over the limit. */
  dropLongName(name: string): void {
    const short = Buffer.from(name).subarray(0, this.#options.limits.maxNameBytes).toString();
    this.#drop(short, 'name', () => ({ kind: 'name-too-long', limit: this.#options.limits.maxNameBytes }));
  }

  #drop(field: string, kind: string, reason: () => Drop['reason']): void {
    const key = `${kind} ${field}`;
    let entry = this.#drops.get(key);
    if (entry === undefined && this.#drops.size < this.#options.limits.maxDrops) {
      entry = { field, reason: reason(), count: 0 };
      this.#drops.set(key, entry);
    }
    this.#eventDrops.push(entry);
  }

  /** The current event becomes a row. */
  commit(time: bigint): void {
    if (this.rows === this.#times.length) {
      const larger = new BigInt64Array(4 * this.rows);
      larger.set(this.#times);
      this.#times = larger;
    }
    this.#times[this.rows] = time;
    if (this.rows === 0 || time < this.#earliest) this.#earliest = time;
    if (this.rows === 0 || time > this.#latest) this.#latest = time;
    this.rows++;
    this.#touchedCount = 0;
    if (this.#eventDrops.length === 0) return;
    for (const entry of this.#eventDrops) {
      if (entry === undefined) this.#droppedElsewhere++;
      else entry.count++;
    }
    this.#eventDrops.length = 0;
  }

  /** The current event leaves no trace. */
  rollback(): void {
    for (let i = 0; i < this.#touchedCount; i++) this.clear(this.#touched[i]!);
    this.#touchedCount = 0;
    this.#eventDrops.length = 0;
  }

  /** `_time` of every row. */
  times(): NativeBody {
    const times = new Uint8Array(this.#times.buffer, 0, 8 * this.rows);
    return { bytes: times.length, write: ({ buffer }, start) => buffer.set(times, start) };
  }

  /** Smallest and largest `_time`; undefined without rows. */
  timeRange(): { readonly min: bigint; readonly max: bigint } | undefined {
    return this.rows === 0 ? undefined : { min: this.#earliest, max: this.#latest };
  }

  /** Every (field, type) with a value, in the order the fields were met. */
  columns(): readonly FieldColumn[] {
    const columns: FieldColumn[] = [];
    for (const field of this.#fields.values()) columns.push(...field.columns());
    return columns;
  }

  drops(): { readonly dropped: readonly Drop[]; readonly droppedElsewhere: number } {
    const dropped = [...this.#drops.values()].filter(({ count }) => count > 0);
    return { dropped, droppedElsewhere: this.#droppedElsewhere };
  }
}
