import type { Ast } from '@millrace/apl';
import { memberError } from '../compile/query-error.js';
import { callExpr, fieldExpr, junction, literal, notExpr } from './expressions.js';
import type { BodyOrigins } from '../compile/body-origins.js';
import { requestBounds } from '@millrace/api/limits';

/** The filter of a structured query: a tree of nodes → an expression. */

interface Node {
  readonly op: string;
  readonly field: string;
  readonly value: unknown;
  readonly caseSensitive: boolean | undefined;
  readonly children: readonly unknown[];
}

/** The parts of a node, for its operator. */
interface Test {
  readonly node: Node;
  readonly field: Ast.Expr;
  readonly value: () => Ast.Expr;
  readonly text: () => Ast.Expr;
  readonly span: Ast.Span;
}

/**
 * The condition of a filter; undefined for a filter that is not set.
 * @throws HttpError `invalid-request` naming the property
 */
export function filterExpr(filter: unknown, origins: BodyOrigins, member = 'filter', depth = 0): Ast.Expr | undefined {
  const node = nodeOf(filter, member);
  if (node === undefined) return undefined;
  const { max } = requestBounds.structuredFilterLevels;
  // Without the path, which would be longer than a message.
  if (depth > max)
    throw memberError(member.replace(/(\.children\[\d+\])+$/, ''), `is nested deeper than ${max} levels`);
  const span = origins.of(member);
  const children = (): readonly Ast.Expr[] =>
    node.children.flatMap((child, i) => filterExpr(child, origins, `${member}.children[${i}]`, depth + 1) ?? []);
  switch (node.op) {
    case 'and':
    case 'or':
      return junction(node.op, children(), span);
    case 'not': {
      const all = junction('and', children(), span);
      return all === undefined ? undefined : notExpr(all, span);
    }
    default:
      return testExpr(node, origins, member, span);
  }
}

function testExpr(node: Node, origins: BodyOrigins, member: string, span: Ast.Span): Ast.Expr {
  const make = Object.hasOwn(tests, node.op) ? tests[node.op] : undefined;
  if (make === undefined)
    throw memberError(
      `${member}.op`,
      `'${node.op}' is unknown; one of ${['and', 'or', 'not', ...Object.keys(tests)].join(', ')}`,
    );
  if (node.field === '') throw memberError(`${member}.field`, 'is required');
  const at = origins.of(`${member}.value`);
  const scalar = (): string | number | bigint | boolean => {
    const { value } = node;
    if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return value as string;
    throw memberError(`${member}.value`, 'must be a string, a number or a boolean');
  };
  return make({
    node,
    field: fieldExpr(node.field, origins.of(`${member}.field`)),
    value: () => literal(scalar(), at),
    text: () => literal(String(scalar()), at),
    span,
  });
}

const comparison =
  (op: Ast.ComparisonOp) =>
  ({ field, value, span }: Test): Ast.Expr => ({ kind: 'binary', op, opSpan: span, left: field, right: value(), span });

const times: ReadonlySet<string> = new Set(['_time', '_sysTime']);

/** Null means no value; text is compared without case if the request says so. */
const equality =
  (negated: boolean) =>
  (test: Test): Ast.Expr => {
    const { node, field, span } = test;
    if (node.value === null || node.value === undefined)
      return callExpr(negated ? 'isnotnull' : 'isnull', [field], span);
    if (typeof node.value === 'string' && node.caseSensitive === false && !times.has(node.field))
      return textTest('equals', negated)(test);
    return comparison(negated ? '!=' : '==')(test);
  };

const textTest =
  (op: Ast.StringOp, negated: boolean) =>
  ({ node, field, text, span }: Test): Ast.Expr => ({
    kind: 'stringTest',
    op,
    negated,
    caseSensitive: op === 'matches regex' || node.caseSensitive === true,
    opSpan: span,
    left: field,
    right: text(),
    span,
  });

/** Every operator and its aliases. */
const tests: Readonly<Record<string, (test: Test) => Ast.Expr>> = {
  '==': equality(false),
  eq: equality(false),
  '!=': equality(true),
  ne: equality(true),
  exists: ({ field, span }) => callExpr('isnotnull', [field], span),
  'not-exists': ({ field, span }) => callExpr('isnull', [field], span),
  '>': comparison('>'),
  gt: comparison('>'),
  '>=': comparison('>='),
  gte: comparison('>='),
  '<': comparison('<'),
  lt: comparison('<'),
  '<=': comparison('<='),
  lte: comparison('<='),
  'starts-with': textTest('startswith', false),
  'not-starts-with': textTest('startswith', true),
  'ends-with': textTest('endswith', false),
  'not-ends-with': textTest('endswith', true),
  contains: textTest('contains', false),
  'not-contains': textTest('contains', true),
  has: textTest('has', false),
  'not-has': textTest('has', true),
  regexp: textTest('matches regex', false),
  'not-regexp': textTest('matches regex', true),
};

/**
 * A node with its properties checked; undefined for values that clients send when there is no
 * filter.
 */
function nodeOf(filter: unknown, member: string): Node | undefined {
  if (filter === null || filter === undefined) return undefined;
  if (typeof filter !== 'object' || Array.isArray(filter)) throw memberError(member, 'must be an object');
  const { op = '', field = '', value, caseSensitive, children } = filter as Readonly<Record<string, unknown>>;
  if (op === null || op === '') return undefined;
  if (typeof op !== 'string') throw memberError(`${member}.op`, 'must be a string');
  if (typeof (field ?? '') !== 'string') throw memberError(`${member}.field`, 'must be a string');
  if (typeof (caseSensitive ?? false) !== 'boolean')
    throw memberError(`${member}.caseSensitive`, 'must be true or false');
  if (!Array.isArray(children ?? [])) throw memberError(`${member}.children`, 'must be an array of filters');
  return {
    op,
    field: (field ?? '') as string,
    value,
    caseSensitive: (caseSensitive ?? undefined) as boolean | undefined,
    children: (children ?? []) as readonly unknown[],
  };
}
