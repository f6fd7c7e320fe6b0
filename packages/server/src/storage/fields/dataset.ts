import { Breath } from '../../async/breath.js';
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
  TextHabits,
} from '@millrace/events';
import { DatasetFields, type FieldAndType, type Place } from './fields.js';
import { OneByOne } from '../../async/one-by-one.js';
import { Looks } from '../tables/looks.js';
import { WholeBatches } from '../whole-batches.js';

/** Something learned about a dataset's fields that is not in the metadata yet. */
export interface FieldNews extends FieldAndType {
  readonly where: keyof Place;
}

/** Of a batch, what tells which of its fields went to the overflow column. */
type Overflowed = Pick<EncodeResult, 'uses' | 'placed' | 'untold' | 'block'>;

const overflowed = (block: EncodeResult['block']): readonly FieldAndType[] =>
  [...overflowNames(block)].flatMap((name) => parsePhysicalName(name) ?? []);

/** The last mark that was given to what a dataset knows: no two have the same. */
let marks = 0;

/** A dataset as the storage sees it: an id, its fields, and what the engine's table has of them. */
export class StoredDataset {
  readonly id: number;
  readonly fields = new DatasetFields();
  /** Physical columns the table is known to have. */
  readonly tableColumns = new Set<string>();
  readonly wholeBatches = new WholeBatches();
  readonly looks = new Looks();
  /** Runs the deletions from the dataset one at a time. */
  readonly deletions = new OneByOne();
  /** Which fields' texts repeat, remembered from one insert to the next. */
  readonly textHabits = new TextHabits();
  #version = 0;
  readonly #budget: BudgetLimits;
  #placement: ColumnBudget;
  #news: FieldNews[] = [];
  /** Batches whose fields are being noted, or that are about to be queued. */
  readonly #arriving = new Set<Overflowed>();
  /** What has come into the overflow column while somebody watches. */
  #coming: DatasetFields | undefined;
  /** Another one whenever a field is forgotten, may be forgotten, or gets a column. */
  #mark = ++marks;
  /**
   * Columns that have been noted and need not be looked at again: nearly all columns of nearly
   * every batch.
   */
  readonly #noted = new Set<string>();

  constructor(id: number, budget: BudgetLimits) {
    this.id = id;
    this.#budget = budget;
    this.#placement = new ColumnBudget(budget);
  }

  /**
   * Changes whenever queries begin to see different events. A result found at a version holds as
   * long as the version stays the same.
   */
  get version(): number {
    return this.#version;
  }

  /**
   * Call it when events were added or removed: once queries can see that, and before anybody is
   * told.
   */
  changed(): void {
    this.#version++;
  }

  /** Decides which fields of a batch get columns of their own. */
  get placement(): SteppedPlacement {
    return this.#placement;
  }

  /**
   * The fields that a batch need not tell of, because they are known; undefined while it has to
   * tell of all.
   */
  get familiar(): Familiar | undefined {
    const share = this.#placement.uncounted;
    if (share === 0 || this.#coming !== undefined) return undefined;
    return {
      mark: this.#mark,
      share,
      has: (field, type) => this.fields.isOnlyIn('overflow', field, type),
    };
  }

  /** Adds fields that another process has learned; the metadata has them. */
  learnFrom(known: readonly FieldNews[]): void {
    let isNew = false;
    for (const { field, type, where } of known) isNew = this.fields.add({ field, type }, where) || isNew;
    if (!isNew) return;
    this.#mark = ++marks;
    this.restored();
  }

  /** All fields that the metadata remembers have been added. */
  restored(): void {
    this.#placement = this.#placementOfKnown();
  }

  /**
   * Notes the fields of a batch, and those new in the overflow column. Called when the batch is
   * queued, before it is acknowledged, so that a query that follows can name them; its flush makes
   * their columns.
   */
  learn(block: EncodeResult['block'], overflowed: readonly FieldAndType[]): void {
    for (const { name } of block.columns) {
      if (this.#noted.has(name)) continue;
      const parsed = parsePhysicalName(name);
      if (parsed !== undefined) this.#note(parsed, 'column');
      this.#noted.add(name);
    }
    for (const use of overflowed) this.#note(use, 'overflow');
  }

  /**
   * Notes the fields of a batch that was acknowledged earlier. Those in the overflow column are
   * taken from the events themselves: the frame in which a field first came may be one that a
   * salvage of the log could not save.
   */
  learnAgain(block: EncodeResult['block']): void {
    this.learn(block, overflowed(block));
  }

  /**
   * Notes the fields of a batch that went to the overflow column, some at a time: there may be a
   * hundred thousand. Call it when the batch is durable, and queue the batch as soon as this
   * resolves.
   */
  async learnOverflowed(batch: Overflowed): Promise<void> {
    this.#arriving.add(batch);
    const breath = new Breath();
    for (const [index, use] of batch.uses.entries()) {
      if (index % 1000 === 999) await breath.take();
      if (batch.placed[index] !== true) this.#note(use, 'overflow');
    }
    // What was known when it was read may have been forgotten since.
    if (batch.untold !== undefined && batch.untold !== this.#mark)
      for (const use of overflowed(batch.block)) this.#note(use, 'overflow');
    // By then it is queued.
    setImmediate(() => this.#arriving.delete(batch));
  }

  /**
   * The fields in the overflow column that come from now on, until `stopWatching`, and those of
   * batches that are not in the engine yet.
   * @param waiting batches that are queued
   */
  watchOverflow(waiting: Iterable<EncodeResult['block']>): DatasetFields {
    const coming = new DatasetFields();
    this.#coming = coming;
    this.#mark = ++marks;
    for (const { uses, placed, untold, block } of this.#arriving) {
      for (const [index, use] of uses.entries()) if (placed[index] !== true) coming.add(use, 'overflow');
      if (untold !== undefined) for (const use of overflowed(block)) coming.add(use, 'overflow');
    }
    for (const block of waiting) for (const use of overflowed(block)) coming.add(use, 'overflow');
    return coming;
  }

  stopWatching(): void {
    this.#coming = undefined;
  }

  /**
   * What has to be in the metadata before the engine gets rows that hold it; each piece is handed
   * out once.
   */
  takeNews(): readonly FieldNews[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }

  /** Gives back news that could not be written. */
  returnNews(news: readonly FieldNews[]): void {
    this.#news = [...news, ...this.#news];
  }

  /** Forgets columns that were removed from the table; a later event brings them back. */
  dropColumns(gone: readonly FieldAndType[]): void {
    this.#noted.clear();
    this.#mark = ++marks;
    this.fields.remove(gone, 'column');
    const names = new Set(gone.map(({ field, type }) => physicalName(field, type)));
    for (const name of names) this.tableColumns.delete(name);
    this.#news = this.#news.filter(
      ({ field, type, where }) => where !== 'column' || !names.has(physicalName(field, type)),
    );
    this.#placement = this.#placementOfKnown();
  }

  /**
   * Forgets fields of which no event has a value in the overflow column, and that are no news; a
   * later event brings them back.
   */
  dropOverflowed(gone: readonly FieldAndType[]): void {
    this.#mark = ++marks;
    this.fields.remove(gone, 'overflow');
    if (!this.fields.overflows) this.#placement = this.#placementOfKnown();
  }

  /** The fields and types that are known to have a column. */
  get columns(): readonly FieldAndType[] {
    return [...this.fields.withColumn].flatMap((field) =>
      [...(this.fields.types(field) ?? [])].flatMap(([type, { column }]) => (column ? [{ field, type }] : [])),
    );
  }

  #placementOfKnown(): ColumnBudget {
    const columns = this.columns.map(({ field, type }) => physicalName(field, type));
    return new ColumnBudget(this.#budget, columns, this.fields.overflows);
  }

  #note({ field, type }: { readonly field: string; readonly type: FieldType }, where: keyof Place): void {
    if (where === 'overflow') this.#coming?.add({ field, type }, where);
    if (!this.fields.add({ field, type }, where)) return;
    this.#news.push({ field, type, where });
    // Later values belong there.
    if (where === 'column') this.#mark = ++marks;
  }
}
