import { bindScalar, bindSingle } from '../../../bind/context.js';
import { single } from '../../../bind/values/coerce.js';
import { constantText } from '../../../plan/scalar.js';
import type { ConstantScalar, Scalar } from '../../../plan/scalar.js';
import type { Plan } from '../../../plan/nodes.js';
import type { Argument, Expr } from '../../../syntax/ast.js';
import { spelledName } from '../../../bind/names/spelled-name.js';
import { isNumeric } from '../../../model/types.js';
import type { PluginContext } from '../define.js';

/** The arguments of plugins that find patterns, in order; `'~'` stands for a default. */
export class PatternArguments {
  readonly #plugin: string;
  readonly #args: readonly Argument[];
  readonly #context: PluginContext;
  #next = 0;
  isBad = false;

  constructor(plugin: string, args: readonly Argument[], context: PluginContext) {
    this.#plugin = plugin;
    this.#args = args;
    this.#context = context;
  }

  /** A number between bounds. */
  number(name: string, otherwise: number, min: number, max: number): number {
    const expr = this.#take();
    if (expr === undefined) return otherwise;
    const scalar = bindSingle(expr, this.#context.constantScope);
    const value = scalar.kind === 'constant' && isNumeric(scalar.type) ? Number(scalar.value) : NaN;
    if (value >= min && value <= max) return value;
    this.#fail(expr, `${name} of ${this.#plugin} must be a number from ${min} to ${max}`);
    return otherwise;
  }

  /** A column with the weights of the rows, and its name. */
  weight(input: Plan): { readonly name: string; readonly value: Scalar } | undefined {
    const expr = this.#take();
    if (expr === undefined) return undefined;
    const value = single(bindScalar(expr, this.#context.scalarScope(input.schema)));
    if (isNumeric(value.type)) return { name: spelledName(expr) ?? '', value };
    this.#fail(expr, `the weight column of ${this.#plugin} must have numbers`);
    return undefined;
  }

  /** The values that stand for "any value" in results, each for columns of its type. */
  wildcards(): ReadonlyMap<string, ConstantScalar> {
    const found = new Map<string, ConstantScalar>();
    while (this.#next < this.#args.length) {
      const expr = this.#take();
      const scalar = expr && bindSingle(expr, this.#context.constantScope);
      if (scalar?.kind === 'constant') found.set(scalar.type, scalar);
      else if (expr !== undefined) this.#fail(expr, `wildcards of ${this.#plugin} must be constants`);
    }
    return found;
  }

  #take(): Expr | undefined {
    const expr = this.#args[this.#next++]?.value;
    return expr?.kind === 'literal' && constantText(bindSingle(expr, this.#context.constantScope)) === '~'
      ? undefined
      : expr;
  }

  #fail({ span }: Expr, message: string): void {
    this.isBad = true;
    this.#context.query.report.error('argument_type', span, message);
  }
}
