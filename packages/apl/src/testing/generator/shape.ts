import type { Type } from '../evaluator/values.js';

/** Properties of a field of the rows so far. */
export interface Field {
  readonly name: string;
  readonly type: Type;
  /**
   * Values may be extreme or not numbers: their sums depend on the order, and they have no defined
   * order.
   */
  readonly wild?: boolean;
}

export interface Shape {
  readonly fields: readonly Field[];
  /** Fields that together identify a row, if there are any. */
  readonly unique: readonly string[] | undefined;
  /** Whether the query defines the order of the rows. */
  readonly ordered: boolean;
  /** Whether there may be more fields, which the data decides. */
  readonly open?: boolean;
}

export const ofType = (shape: Shape, type: Type): readonly Field[] =>
  shape.fields.filter((field) => field.type === type);

/** Fields with which sorting and grouping give the same result in the engine and the evaluator. */
export const deterministicFields = (shape: Shape): readonly Field[] =>
  shape.fields.filter((field) => field.wild !== true && field.type !== 'dynamic' && field.type !== 'mixed');

/** The shape with these fields; the unique fields stay unique if all of them are retained. */
export const withFields = (shape: Shape, fields: readonly Field[], kept: readonly Field[] = fields): Shape => ({
  fields,
  unique: shape.unique?.every((name) => kept.some((field) => field.name === name)) === true ? shape.unique : undefined,
  ordered: shape.ordered,
  ...opening(shape),
});

/** The property `open` of a combined shape: it is open if one of its parts is. */
export const opening = (...shapes: readonly Shape[]): Pick<Shape, 'open'> =>
  shapes.some(({ open }) => open === true) ? { open: true } : {};
