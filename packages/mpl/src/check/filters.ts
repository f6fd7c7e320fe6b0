import type { Span } from '@millrace/apl/positions';
import type { DiagnosticSink } from '../model/diagnostics.js';
import type { TagFilter, TagValue } from '../plan/plan.js';
import type { Filter, FilterStep, Value } from '../syntax/ast.js';
import { checkRegex, type Parameters } from './parameters.js';

/** Resolves the filters of a query: parameters become values. */
export class FilterChecker {
  readonly #params: Parameters;
  readonly #sink: DiagnosticSink;

  constructor(params: Parameters, sink: DiagnosticSink) {
    this.#params = params;
    this.#sink = sink;
  }

  /** The condition of all steps; undefined if every series fulfills it. */
  all(steps: readonly FilterStep[]): TagFilter | undefined {
    const parts = steps.flatMap((step) => this.#step(step) ?? []);
    return parts.length > 1 ? { kind: 'and', parts } : parts[0];
  }

  #step(step: FilterStep): TagFilter | undefined {
    if (step.kind === 'where') {
      if (step.word === 'filter')
        this.#sink.warning(
          { start: step.span.start, end: step.span.start + 6 },
          "'filter' is the old name of 'where'",
          {
            title: "Write 'where'",
            replacement: 'where',
          },
        );
      return this.#filter(step.filter, undefined);
    }
    const { text, span } = step.param;
    const isGiven = this.#params.isGiven(text, span);
    if (!mentions(step.whenGiven, text))
      this.#sink.error(
        span,
        `the condition does not use $${text}; ifdef needs it in the first block`,
        undefined,
        'parameter',
      );
    if (isGiven) return this.#filter(step.whenGiven, text);
    return step.otherwise && this.#filter(step.otherwise, undefined);
  }

  #filter(filter: Filter, guard: string | undefined): TagFilter {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return { kind: filter.kind, parts: filter.parts.map((part) => this.#filter(part, guard)) };
      case 'not':
        return { kind: 'not', of: this.#filter(filter.of, guard) };
      case 'is':
        return { kind: 'is', tag: filter.tag.text, type: filter.type };
      case 'in': {
        const value = this.#value(filter.value, guard);
        if (value !== undefined && value.type !== 'array')
          this.#sink.error(filter.value.span, 'expected a list after \'in\', such as ["a", "b"]', undefined, 'type');
        return { kind: 'in', tag: filter.tag.text, values: value?.type === 'array' ? value.value : [] };
      }
      case 'contains':
        return { kind: 'contains', tag: filter.tag.text, value: this.#value(filter.value, guard) ?? none };
      case 'compare':
        return this.#comparison(filter, guard);
    }
  }

  #comparison({ tag, op, value, span }: Extract<Filter, { readonly kind: 'compare' }>, guard?: string): TagFilter {
    const resolved = this.#params.resolve(value, guard);
    if (resolved?.kind !== 'regex')
      return { kind: 'compare', tag: tag.text, op, value: (resolved && this.constant(resolved, guard)) ?? none };
    if (op !== '==' && op !== '!=')
      this.#sink.error(span, "a regular expression goes only with '==' and '!='", undefined, 'type');
    checkRegex(resolved.pattern, resolved.span, this.#sink);
    return { kind: 'regex', tag: tag.text, pattern: resolved.pattern, negated: op === '!=' };
  }

  #value(value: Value, guard?: string): TagValue | undefined {
    const resolved = this.#params.resolve(value, guard);
    return resolved && this.constant(resolved, guard);
  }

  /** A constant as the value of a tag; undefined after an error. */
  constant(value: Value, guard?: string): TagValue | undefined {
    switch (value.kind) {
      case 'string':
        return { type: 'string', value: this.#text(value, guard) };
      case 'int':
      case 'float':
        return { type: value.kind, value: value.value };
      case 'bool':
        return { type: 'bool', value: value.value };
      case 'array':
        return { type: 'array', value: value.values.flatMap((each) => this.#value(each, guard) ?? []) };
      case 'param':
        return this.#value(value, guard);
      case 'regex':
      case 'duration':
        this.#sink.error(value.span, `a ${value.kind} cannot be the value of a tag`, undefined, 'type');
        return undefined;
    }
  }

  #text({ parts, span }: Extract<Value, { readonly kind: 'string' }>, guard?: string): string {
    return parts
      .map((part) =>
        part.kind === 'text'
          ? part.text
          : part.kind === 'param'
            ? this.insertFilter(part.name, span, guard)
            : this.#tagHere(span),
      )
      .join('');
  }

  /** The text of a parameter inside a string. */
  insertFilter(name: string, span: Span, guard?: string): string {
    const value = this.#value({ kind: 'param', name, span }, guard);
    return value === undefined || value.type === 'array' ? '' : String(value.value);
  }

  #tagHere(span: Span): string {
    this.#sink.error(span, 'tags can be inserted only into the strings of extend; escape $ as \\$', undefined, 'type');
    return '';
  }
}

/** Stands for a value that has an error. */
const none: TagValue = { type: 'string', value: '' };

function mentions(filter: Filter, param: string): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.some((part) => mentions(part, param));
    case 'not':
      return mentions(filter.of, param);
    case 'is':
      return false;
    case 'in':
    case 'contains':
    case 'compare':
      return uses(filter.value, param);
  }
}

function uses(value: Value, param: string): boolean {
  switch (value.kind) {
    case 'param':
      return value.name === param;
    case 'array':
      return value.values.some((each) => uses(each, param));
    case 'string':
      return value.parts.some((part) => part.kind === 'param' && part.name === param);
    case 'int':
    case 'float':
    case 'bool':
    case 'regex':
    case 'duration':
      return false;
  }
}
