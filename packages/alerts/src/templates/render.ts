import { Effort } from './budget.js';
import { callFunction } from './functions.js';
import { goText, isObject, isTrue } from './go-text.js';
import type { Command, Control, VariableDeclaration, Node, Operand, Pipeline } from './nodes.js';
import { TemplateError } from './template-error.js';
import { requestBounds } from '@millrace/api/limits';

/** Cost of reading a character of a format, relative to copying one. */
const perCharacterOfPrintf = 20;

/** Inner blocks can assign to variables, so values are mutable. */
type Scope = ReadonlyMap<string, { value: unknown }>;

interface Options {
  /** Compute budget. */
  readonly templateSteps: number;
  /** Converts each output before it is written. */
  readonly written: (text: string, pipeline: Pipeline) => string;
}

/** @throws TemplateError if a value has the wrong type, or output or work exceeds the limit */
export function render(nodes: readonly Node[], root: unknown, options: Options): string {
  const renderer = new Renderer(root, options);
  renderer.block(nodes, root, new Map());
  return renderer.text;
}

class Renderer {
  readonly #root: unknown;
  readonly #options: Options;
  readonly #effort: Effort;
  text = '';

  constructor(root: unknown, options: Options) {
    this.#root = root;
    this.#options = options;
    this.#effort = new Effort(options.templateSteps);
  }

  block(nodes: readonly Node[], dot: unknown, outer: Scope): void {
    const scope = new Map(outer);
    for (const node of nodes) {
      this.#effort.step(placeOf(node), scope.size);
      switch (node.kind) {
        case 'text':
          this.#write(node.text, 0);
          break;
        case 'output': {
          const value = this.#evaluate(node.pipeline, dot, scope);
          if (node.declared !== undefined) declare(node.declared, [value], scope);
          else {
            this.#effort.read(node.pipeline.at, value);
            this.#write(
              typeof value === 'string' ? this.#options.written(value, node.pipeline) : goText(value),
              node.pipeline.at,
            );
          }
          break;
        }
        case 'if':
        case 'with': {
          const value = this.#evaluate(node.pipeline, dot, scope);
          const inner = new Map(scope);
          if (node.declared !== undefined) declare(node.declared, [value], inner);
          if (isTrue(value)) this.block(node.body, node.kind === 'with' ? value : dot, inner);
          else this.block(node.otherwise, dot, inner);
          break;
        }
        case 'range':
          this.#range(node, dot, scope);
          break;
      }
    }
  }

  #range(node: Control, dot: unknown, scope: Scope): void {
    const value = this.#evaluate(node.pipeline, dot, scope);
    const entries: readonly (readonly [unknown, unknown])[] = Array.isArray(value)
      ? value.map((item: unknown, i) => [i, item] as const)
      : isObject(value)
        ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
        : [];
    this.#effort.step(node.pipeline.at, entries.length);
    if (entries.length === 0) return this.block(node.otherwise, dot, scope);
    for (const [key, item] of entries) {
      this.#effort.step(node.pipeline.at, scope.size);
      const inner = new Map(scope);
      if (node.declared !== undefined)
        declare(node.declared, node.declared.variables.length === 2 ? [key, item] : [item], inner);
      this.block(node.body, item, inner);
    }
  }

  #write(text: string, at: number): void {
    this.text += text;
    const { max } = requestBounds.templateCharacters;
    if (this.text.length > max) throw new TemplateError(at, `it makes more than ${max} characters`);
  }

  #evaluate({ commands }: Pipeline, dot: unknown, scope: Scope): unknown {
    return commands.reduce<unknown>(
      (before, command, i) => this.#command(command, i === 0 ? [] : [before], dot, scope),
      undefined,
    );
  }

  #command({ head, args }: Command, last: readonly unknown[], dot: unknown, scope: Scope): unknown {
    if (head.kind !== 'function') return this.#operand(head, dot, scope);
    const values = [...args.map((arg) => this.#operand(arg, dot, scope)), ...last];
    this.#effort.step(head.at);
    const weight = head.name === 'printf' ? perCharacterOfPrintf : 1;
    for (const value of values) this.#effort.read(head.at, value, weight);
    try {
      const made = callFunction(head.name, values);
      this.#effort.read(head.at, made);
      return made;
    } catch (error) {
      if (error instanceof TemplateError) throw error;
      throw new TemplateError(head.at, `${head.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #operand(operand: Operand, dot: unknown, scope: Scope): unknown {
    switch (operand.kind) {
      case 'constant':
        return operand.value;
      case 'function':
        return this.#command({ head: operand, args: [] }, [], dot, scope);
      case 'chain': {
        const { of, fields, at } = operand;
        const start =
          of === 'dot'
            ? dot
            : 'variable' in of
              ? of.variable === ''
                ? this.#root
                : scope.get(of.variable)?.value
              : this.#evaluate(of, dot, scope);
        return fields.reduce<unknown>((value, name) => {
          if (isObject(value)) return Object.hasOwn(value, name) ? value[name] : undefined;
          if (value === null || value === undefined) return undefined;
          throw new TemplateError(at, `a ${Array.isArray(value) ? 'list' : typeof value} has no field .${name}`);
        }, start);
      }
    }
  }
}

const placeOf = (node: Node): number => (node.kind === 'text' ? 0 : node.pipeline.at);

function declare(
  { variables, assigns }: VariableDeclaration,
  values: readonly unknown[],
  scope: Map<string, { value: unknown }>,
): void {
  variables.forEach((name, i) => {
    const present = assigns ? scope.get(name) : undefined;
    if (present === undefined) scope.set(name, { value: values[i] });
    else present.value = values[i];
  });
}
