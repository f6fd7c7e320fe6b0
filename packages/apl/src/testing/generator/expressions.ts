import type { Type } from '../evaluator/values.js';
import { calls } from './calls.js';
import { literal, nullOf, types } from './cells.js';
import type { Choices } from './choices.js';
import { ofType } from './shape.js';
import type { Shape } from './shape.js';
import { fillTemplate } from './templates.js';
import type { Maker } from './templates.js';

/** Makes random expressions of given types. */
export class Expressions implements Maker {
  readonly choices: Choices;
  readonly shape: Shape;

  constructor(choices: Choices, shape: Shape) {
    this.choices = choices;
    this.shape = shape;
  }

  /** An expression of a type, at most `depth` calls deep. */
  of(type: Type, depth: number): string {
    const fields = ofType(this.shape, type);
    // Only fields are mixed.
    if (type === 'mixed') return fields.length > 0 ? this.choices.of(fields).name : this.of('string', depth);
    if (depth > 0 && !this.choices.oneIn(3)) return fillTemplate(this.choices.of(calls[type]), this, depth - 1);
    if (fields.length > 0 && !this.choices.oneIn(3)) return this.choices.of(fields).name;
    return this.choices.oneIn(12) ? nullOf(type) : literal(this.choices, type);
  }

  /** Something dynamic that may well be an array or an object: a field or a literal. */
  dynamic(what: 'list' | 'bag' | 'holder'): string {
    const fields = ofType(this.shape, 'dynamic').filter((field) => field.wild !== true);
    return fields.length > 0 && !this.choices.oneIn(4) ? this.choices.of(fields).name : this.choices.of(holders[what]);
  }

  /** An expression of any type. */
  any(depth: number): string {
    return this.of(this.choices.of(types), depth);
  }
}

const lists = [
  'dynamic([1, 2, 3])',
  'pack_array("a", 1, long(null))',
  'dynamic([])',
  'split("a,b,,c", ",")',
  'dynamic([{"k": 1}, ["x"], null])',
];
const bags = ['dynamic({"k": 1, "s": "a", "l": [1, "x"]})', 'dynamic({"k": {"s": "b"}, "n": null})', 'dynamic({})'];
const holders = { list: lists, bag: bags, holder: [...bags, ...lists] };
