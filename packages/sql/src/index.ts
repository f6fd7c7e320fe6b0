export type {
  Call,
  Column,
  Expr,
  JoinKind,
  JoinStrictness,
  Lambda,
  Literal,
  LiteralValue,
  OrderKey,
  Query,
  Select,
  SelectItem,
  Source,
  UnionAll,
  Window,
  WordSets,
} from './nodes.js';
export {
  and,
  ascendingKey,
  call,
  cast,
  column,
  descendingKey,
  integer,
  item,
  lambda,
  literal,
  not,
  nullLiteral,
  or,
  parametric,
  select,
  withSettings,
} from './build.js';
export { divideQuery, tablesOf } from './divide.js';
export type { DividedQuery, MovedQuery } from './divide.js';
export { narrowQuery, onTables, tablesWithWords } from './narrow.js';
export type { NarrowedRows, TableNarrower, TableWithWords } from './narrow.js';
export type { MayHave } from './drop-term-hints.js';
export { printExpr, printQuery } from './print.js';
export { printedParts } from './printed-parts.js';
export { isConstantQuery } from './is-constant-query.js';
export { quoteIdentifier, quoteString } from './quote.js';
