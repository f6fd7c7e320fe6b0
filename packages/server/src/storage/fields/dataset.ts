import { Breath } from '../../async/breath.js';
import {
  type BudgetLimits,
  ColumnBudget,
  type EncodeResult,
  type FieldType,
  overflowNames,
  parsePhysicalName,
  physicalName,
  type SteppedPlacement,
  TextHabits,
} from '@millrace/events';
import { DatasetFields, type FieldAndType, type InPlaces, type Place } from './fields.js';
import { OneByOne } from '../../async/one-by-one.js';
import { Looks } from '../tables/looks.js';
import { WholeBatches } from '../whole-batches.js';

/** Something learned about a dataset's fields that is not in the metadata yet. */
export interface FieldNews extends FieldAndType {
  readonly where: keyof Place;
}

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

  /** Adds fields that the metadata remembers; `restored` follows the last of them. */
  restore(known: readonly FieldNews[]): void {
    for (const { field, type, where } of known) this.fields.add({ field, type }, where);
  }

  /** Adds fields that another process has learned; the metadata has them. */
  learnFrom(known: readonly FieldNews[]): void {
    let isNew = false;
    for (const { field, type, where } of known) isNew = this.fields.add({ field, type }, where) || isNew;
    if (isNew) this.restored();
  }

  /** All fields that the metadata remembers are there. */
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
    this.learn(
      block,
      [...overflowNames(block)].flatMap((name) => parsePhysicalName(name) ?? []),
    );
  }

  /**
   * Notes the fields of a batch that went to the overflow column, some at a time: there may be a
   * hundred thousand. Call it when the batch is durable, before it is queued.
   */
  async learnOverflowed({ uses, placed }: Pick<EncodeResult, 'uses' | 'placed'>): Promise<void> {
    const breath = new Breath();
    for (const [index, use] of uses.entries()) {
      if (index % 1000 === 999) await breath.take();
      if (placed[index] !== true) this.#note(use, 'overflow');
    }
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

  /**
   * Forgets columns that were removed from the table, and fields without a value in the overflow
   * column; a later event brings them back.
   */
  drop(dropped: InPlaces): void {
    this.#noted.clear();
    for (const where of ['column', 'overflow'] as const) {
      this.fields.remove(dropped[where], where);
      const names = new Set(dropped[where].map(({ field, type }) => physicalName(field, type)));
      if (where === 'column') for (const name of names) this.tableColumns.delete(name);
      this.#news = this.#news.filter((news) => news.where !== where || !names.has(physicalName(news.field, news.type)));
    }
    this.#placement = this.#placementOfKnown();
  }

  /** The fields and types whose values are known to lie there. */
  known(where: keyof Place): readonly FieldAndType[] {
    return [...this.fields.entries()].flatMap(([field, types]) =>
      [...types].flatMap(([type, place]) => (place[where] ? [{ field, type }] : [])),
    );
  }

  #placementOfKnown(): ColumnBudget {
    const columns = [...this.fields.withColumn].flatMap((field) =>
      [...(this.fields.types(field) ?? [])].flatMap(([type, { column }]) =>
        column ? [physicalName(field, type)] : [],
      ),
    );
    return new ColumnBudget(this.#budget, columns, this.fields.overflows);
  }

  #note({ field, type }: { readonly field: string; readonly type: FieldType }, where: keyof Place): void {
    if (this.fields.add({ field, type }, where)) this.#news.push({ field, type, where });
  }
}
