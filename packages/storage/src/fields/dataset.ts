import { Yielder } from '@millrace/runtime/async/yield';
import {
  type BudgetLimits,
  ColumnBudget,
  type EncodeResult,
  type Familiar,
  type FieldType,
  overflowNames,
  parsePhysicalName,
  physicalName,
  type SteppedPlacement,
  DictionaryHints,
} from '@millrace/events';
import { DatasetFields, type FieldAndType, type Place } from './fields.js';
import { Mutex } from '@millrace/runtime/async/mutex';
import { ScanSchedule } from '../tables/identifier-scan-schedule.js';
import { BatchVisibility } from '../batch-visibility.js';

/** A new field of a dataset that is not in the metadata yet. */
export interface SchemaChange extends FieldAndType {
  readonly where: keyof Place;
}

/** The parts of a batch that list its fields in the overflow column. */
type OverflowBatch = Pick<EncodeResult, 'uses' | 'placed' | 'unreportedMark' | 'block'>;

const overflowedFields = (block: EncodeResult['block']): readonly FieldAndType[] =>
  [...overflowNames(block)].flatMap((name) => parsePhysicalName(name) ?? []);

/** The last mark of a dataset's set of fields; marks are unique. */
let marks = 0;

/** A dataset in the storage: its ID, its fields, and its table's columns. */
export class StoredDataset {
  readonly id: number;
  readonly fields = new DatasetFields();
  /** Known physical columns of the table. */
  readonly tableColumns = new Set<string>();
  readonly batchVisibility = new BatchVisibility();
  readonly looks = new ScanSchedule();
  /** Runs the deletions from the dataset one at a time. */
  readonly deletions = new Mutex();
  /** Whether fields' texts repeat, carried over between inserts. */
  readonly textHabits = new DictionaryHints();
  #version = 0;
  readonly #budget: BudgetLimits;
  #placement: ColumnBudget;
  #news: SchemaChange[] = [];
  /** Batches whose fields are being registered, or that are about to be queued. */
  readonly #arrivingBatches = new Set<OverflowBatch>();
  /** Fields added to the overflow column while it is watched. */
  #addedFields: DatasetFields | undefined;
  /** Changes whenever a field is removed, may be removed, or gets a column. */
  #mark = ++marks;
  /** Columns already registered: nearly all columns of nearly every batch. */
  readonly #registeredColumns = new Set<string>();

  constructor(id: number, budget: BudgetLimits) {
    this.id = id;
    this.#budget = budget;
    this.#placement = new ColumnBudget(budget);
  }

  /**
   * Changes whenever queries begin to see different events. Results stay valid while the version
   * does not change.
   */
  get version(): number {
    return this.#version;
  }

  /**
   * Call it when events were added or removed: once queries can see that, and before the request
   * gets its response.
   */
  invalidate(): void {
    this.#version++;
  }

  /** Decides which fields of a batch get dedicated columns. */
  get placement(): SteppedPlacement {
    return this.#placement;
  }

  /**
   * The fields that a batch need not list, because they are known; undefined while it has to list
   * all.
   */
  get familiar(): Familiar | undefined {
    const share = this.#placement.uncounted;
    if (share === 0 || this.#addedFields !== undefined) return undefined;
    return {
      mark: this.#mark,
      share,
      has: (field, type) => this.fields.isOnlyIn('overflow', field, type),
    };
  }

  /** Adds fields of another process; the metadata has them. */
  learnFrom(known: readonly SchemaChange[]): void {
    let isNew = false;
    for (const { field, type, where } of known) isNew = this.fields.add({ field, type }, where) || isNew;
    if (!isNew) return;
    this.#mark = ++marks;
    this.recordRestore();
  }

  /** Call it when all fields of the metadata have been added. */
  recordRestore(): void {
    this.#placement = this.#placementOfKnown();
  }

  /**
   * Registers the fields of a batch, and those new in the overflow column. Called when the batch is
   * queued, before it is acknowledged, so that a later query can name them; its flush creates their
   * columns.
   */
  learn(block: EncodeResult['block'], overflowed: readonly FieldAndType[]): void {
    for (const { name } of block.columns) {
      if (this.#registeredColumns.has(name)) continue;
      const parsed = parsePhysicalName(name);
      if (parsed !== undefined) this.#note(parsed, 'column');
      this.#registeredColumns.add(name);
    }
    for (const use of overflowed) this.#note(use, 'overflow');
  }

  /**
   * Registers the fields of a batch that was acknowledged earlier. Those in the overflow column are
   * read from the events: the frame that introduced a field may have been lost in a salvage of the
   * log.
   */
  learnAgain(block: EncodeResult['block']): void {
    this.learn(block, overflowedFields(block));
  }

  /**
   * Registers the overflow fields of a batch, some at a time: there may be a hundred thousand. Call
   * it when the batch is durable, and queue the batch as soon as this resolves.
   */
  async learnOverflowed(batch: OverflowBatch): Promise<void> {
    this.#arrivingBatches.add(batch);
    const yielder = new Yielder();
    for (const [index, use] of batch.uses.entries()) {
      if (index % 1000 === 999) await yielder.maybeYield();
      if (batch.placed[index] !== true) this.#note(use, 'overflow');
    }
    // Fields known when it was encoded may have been removed since.
    if (batch.unreportedMark !== undefined && batch.unreportedMark !== this.#mark)
      for (const use of overflowedFields(batch.block)) this.#note(use, 'overflow');
    // The batch is queued by then.
    setImmediate(() => this.#arrivingBatches.delete(batch));
  }

  /**
   * The fields added to the overflow column from now on, until `stopWatching`, and those of batches
   * that are not in the engine yet.
   * @param waiting batches that are queued
   */
  watchOverflow(waiting: Iterable<EncodeResult['block']>): DatasetFields {
    const coming = new DatasetFields();
    this.#addedFields = coming;
    this.#mark = ++marks;
    for (const { uses, placed, unreportedMark, block } of this.#arrivingBatches) {
      for (const [index, use] of uses.entries()) if (placed[index] !== true) coming.add(use, 'overflow');
      if (unreportedMark !== undefined) for (const use of overflowedFields(block)) coming.add(use, 'overflow');
    }
    for (const block of waiting) for (const use of overflowedFields(block)) coming.add(use, 'overflow');
    return coming;
  }

  stopWatching(): void {
    this.#addedFields = undefined;
  }

  /** Fields to write to the metadata before their rows reach the engine; each is returned once. */
  takeNews(): readonly SchemaChange[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }

  /** Returns new fields that could not be written. */
  returnNews(news: readonly SchemaChange[]): void {
    this.#news = [...news, ...this.#news];
  }

  /** Removes fields of dropped columns; a later event adds them again. */
  dropColumns(dropped: readonly FieldAndType[]): void {
    this.#registeredColumns.clear();
    this.#mark = ++marks;
    this.fields.remove(dropped, 'column');
    const names = new Set(dropped.map(({ field, type }) => physicalName(field, type)));
    for (const name of names) this.tableColumns.delete(name);
    this.#news = this.#news.filter(
      ({ field, type, where }) => where !== 'column' || !names.has(physicalName(field, type)),
    );
    this.#placement = this.#placementOfKnown();
  }

  /**
   * Removes fields that have no value in the overflow column and are already stored in the
   * metadata; a later event adds them again.
   */
  dropOverflowed(dropped: readonly FieldAndType[]): void {
    this.#mark = ++marks;
    this.fields.remove(dropped, 'overflow');
    if (!this.fields.overflows) this.#placement = this.#placementOfKnown();
  }

  /** The fields and types with a column. */
  get columns(): readonly FieldAndType[] {
    return [...this.fields.columnNames].flatMap((field) =>
      [...(this.fields.types(field) ?? [])].flatMap(([type, { column }]) => (column ? [{ field, type }] : [])),
    );
  }

  #placementOfKnown(): ColumnBudget {
    const columns = this.columns.map(({ field, type }) => physicalName(field, type));
    return new ColumnBudget(this.#budget, columns, this.fields.overflows);
  }

  #note({ field, type }: { readonly field: string; readonly type: FieldType }, where: keyof Place): void {
    if (where === 'overflow') this.#addedFields?.add({ field, type }, where);
    if (!this.fields.add({ field, type }, where)) return;
    this.#news.push({ field, type, where });
    // Later values belong in the column.
    if (where === 'column') this.#mark = ++marks;
  }
}
