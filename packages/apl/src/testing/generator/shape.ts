import type { Type } from '../evaluator/values.js';

/** What a generator knows of the rows so far. */
export interface Field {
  readonly name: string;
  readonly type: Type;
  /** Values may be extreme or no numbers: their sums depend on the order, their order is nobody's business. */
  readonly wild?: boolean;
}

export interface Shape {
  readonly fields: readonly Field[];
  /** Fields that together tell the rows apart, if any do. */
  readonly unique: readonly string[] | undefined;
  /** Whether the rows stand in an order that the query defines. */
  readonly ordered: boolean;
}

export const ofType = (shape: Shape, type: Type): readonly Field[] =>
  shape.fields.filter((field) => field.type === type);

/** Fields that can be sorted and grouped by, so that every engine agrees. */
export const tame = (shape: Shape): readonly Field[] =>
  shape.fields.filter((field) => field.wild !== true && field.type !== 'dynamic' && field.type !== 'mixed');

/** The shape with these fields; rows are told apart as before if what tells them apart is still there. */
export const withFields = (shape: Shape, fields: readonly Field[], kept: readonly Field[] = fields): Shape => ({
  fields,
  unique: shape.unique?.every((name) => kept.some((field) => field.name === name)) === true ? shape.unique : undefined,
  ordered: shape.ordered,
});
