import { parameterOf } from '../model/aggregations.js';
import { functionRecord } from '../model/functions.js';
import { isComparison, isSetOperator } from '../model/operators.js';
import { ParseProblem } from '../model/problems.js';
import { typeName, type ValueType } from '../model/types.js';
import type { Aggregation, Binary, Call, Expr } from '../syntax/ast.js';

/** Checks the types of an expression. */
export class Checker {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The type of an expression.
   * @throws ParseProblem
   */
  typeOf(expr: Expr): ValueType {
    switch (expr.kind) {
      case 'number':
        return 'scalar';
      case 'string':
        return 'string';
      case 'selector':
        return expr.range === undefined ? 'vector' : 'matrix';
      case 'subquery':
        this.#expect(expr.of, 'vector', 'subquery');
        return 'matrix';
      case 'negation': {
        const type = this.typeOf(expr.of);
        if (type === 'scalar' || type === 'vector') return type;
        throw this.#problem(
          expr,
          `unary expression only allowed on expressions of type scalar or instant vector, got ${typeName(type)}`,
        );
      }
      case 'call':
        return this.#call(expr);
      case 'aggregation':
        return this.#aggregation(expr);
      case 'binary':
        return this.#binary(expr);
    }
  }

  #problem = ({ span }: Pick<Expr, 'span'>, message: string): ParseProblem =>
    new ParseProblem(this.#text, span, message);

  #expect(expr: Expr, wanted: ValueType, where: string): void {
    const type = this.typeOf(expr);
    // A subquery of a scalar repeats it.
    if (type === wanted || (where === 'subquery' && type === 'scalar')) return;
    throw this.#problem(expr, `expected type ${typeName(wanted)} in ${where}, got ${typeName(type)}`);
  }

  #call(call: Call): ValueType {
    const { args, optional = 0, variadic, returns } = functionRecord(call.fn);
    const { length } = call.args;
    const where = `call to function "${call.fn}"`;
    if (length < args.length - optional)
      throw this.#problem(
        call,
        `expected ${optional > 0 || variadic ? 'at least ' : ''}${args.length - optional} argument(s) in ${where}, got ${length}`,
      );
    if (length > args.length && variadic === undefined)
      throw this.#problem(
        call,
        `expected ${optional > 0 ? 'at most ' : ''}${args.length} argument(s) in ${where}, got ${length}`,
      );
    for (const [i, each] of call.args.entries()) this.#expect(each, args[Math.min(i, args.length - 1)]!, where);
    return returns;
  }

  #aggregation(expr: Aggregation): ValueType {
    const wanted = parameterOf(expr.op);
    if ((wanted === undefined) !== (expr.parameter === undefined))
      throw this.#problem(
        expr,
        `wrong number of arguments for aggregate expression provided, expected ${wanted === undefined ? 1 : 2}, got ${expr.parameter === undefined ? 1 : 2}`,
      );
    if (wanted !== undefined) this.#expect(expr.parameter!, wanted, `aggregation parameter of ${expr.op}`);
    this.#expect(expr.of, 'vector', `aggregation expression`);
    return 'vector';
  }

  #binary(expr: Binary): ValueType {
    const { op, bool, matching, left, right } = expr;
    const types = [left, right].map((each) => this.typeOf(each));
    for (const [i, type] of types.entries())
      if (type !== 'scalar' && type !== 'vector')
        throw this.#problem(
          [left, right][i]!,
          `binary expression must contain only scalar and instant vector types, got ${typeName(type)}`,
        );
    const vectors = types.every((type) => type === 'vector');
    if (isSetOperator(op) && !vectors)
      throw this.#problem(expr, `set operator "${op}" not allowed in binary scalar expression`);
    if (isSetOperator(op) && matching.many !== undefined)
      throw this.#problem(expr, `no grouping allowed for "${op}" operation`);
    if (bool && !isComparison(op)) throw this.#problem(expr, 'bool modifier can only be used on comparison operators');
    if (types.every((type) => type === 'scalar')) {
      if (isComparison(op) && !bool) throw this.#problem(expr, 'comparisons between scalars must use BOOL modifier');
      return 'scalar';
    }
    if (!vectors && (matching.labels.length > 0 || matching.kind === 'on'))
      throw this.#problem(expr, 'vector matching only allowed between instant vectors');
    const twice = matching.kind === 'on' ? matching.include.find((each) => matching.labels.includes(each)) : undefined;
    if (twice !== undefined)
      throw this.#problem(expr, `label "${twice}" must not occur in ON and GROUP clause at once`);
    return 'vector';
  }
}
