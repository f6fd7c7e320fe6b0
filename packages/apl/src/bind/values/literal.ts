import { floorTo } from '../../model/floor.js';
import { DAY } from '../../model/nanoseconds.js';
import { constant } from '../../plan/scalar.js';
import type { ConstantScalar } from '../../plan/scalar.js';
import type { LiteralExpr } from '../../syntax/ast.js';
import type { QueryContext } from '../context.js';

/** The value of a literal in a query. */
export const bindLiteral = ({ type, value, ofToday }: LiteralExpr, { now }: QueryContext): ConstantScalar =>
  constant(type, ofToday === true && typeof value === 'bigint' ? floorTo(now(), DAY) + value : value);
