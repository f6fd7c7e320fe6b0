import { findNearest, type Span } from '@millrace/apl/positions';
import type { DiagnosticSink } from '../model/diagnostics.js';
import {
  aliases,
  alignFunctions,
  bucketFunctions,
  bucketWords,
  computeFunctions,
  type ComputeFunction,
  type FunctionRecord,
  groupFunctions,
  mapFunctions,
} from '../model/functions.js';
import type { BucketSpec, ExtendedTag, Step } from '../plan/plan.js';
import type { FunctionCall, Name, Pipe, Value } from '../syntax/ast.js';
import type { FilterChecker } from './filters.js';
import type { Parameters } from './parameters.js';

/** Checks the steps after the filters. */
export class StepChecker {
  readonly #params: Parameters;
  readonly #filters: FilterChecker;
  readonly #sink: DiagnosticSink;

  constructor(params: Parameters, filters: FilterChecker, sink: DiagnosticSink) {
    this.#params = params;
    this.#filters = filters;
    this.#sink = sink;
  }

  steps(pipes: readonly Pipe[]): readonly Step[] {
    /** The tags that are left; undefined while all are. */
    let tags: ReadonlySet<string> | undefined;
    let isExtended = false;
    return pipes.flatMap((pipe): Step | readonly Step[] => {
      if (isExtended && pipe.kind !== 'extend')
        this.#sink.error(pipe.span, 'extend comes after all other steps; move it to the end', undefined, 'order');
      if (pipe.kind === 'group' || pipe.kind === 'bucket') {
        this.#checkBy(pipe.by ?? [], tags);
        tags = new Set([...(pipe.by ?? []).map(({ text }) => text), ...(pipe.kind === 'bucket' ? ['spec'] : [])]);
      }
      if (pipe.kind === 'extend') isExtended = true;
      return this.#step(pipe) ?? [];
    });
  }

  /** The function of `compute`; a harmless one after an error. */
  computeFunction(fn: FunctionCall): ComputeFunction {
    return this.#namedStep(fn, computeFunctions, 'compute') ?? '+';
  }

  #step(pipe: Pipe): Step | undefined {
    switch (pipe.kind) {
      case 'as':
        return { kind: 'as', name: pipe.name.text };
      case 'map': {
        const fn = this.#namedStep(pipe.fn, mapFunctions, 'map');
        if (fn === undefined) return undefined;
        const [argument = 0] = this.#numbers(pipe.fn, mapFunctions[fn].args);
        return { kind: 'map', fn, argument };
      }
      case 'align': {
        const fn = this.#namedStep(pipe.fn, alignFunctions, 'align');
        return fn && { kind: 'align', ...this.#width(pipe.to), fn };
      }
      case 'group': {
        const fn = this.#namedStep(pipe.fn, groupFunctions, 'group');
        return fn && { kind: 'group', by: namesOf(pipe.by), fn };
      }
      case 'bucket':
        return this.#bucket(pipe);
      case 'extend':
        return { kind: 'extend', tags: pipe.tags.flatMap((entry) => this.#tag(entry) ?? []) };
    }
  }

  #bucket({ by, to, fn }: Extract<Pipe, { readonly kind: 'bucket' }>): Step | undefined {
    const name = this.#namedStep(fn, bucketFunctions, 'bucket');
    if (name === undefined) return undefined;
    const isCumulative = name === 'interpolate_cumulative_histogram';
    const [first] = fn.words;
    const hasMode = first !== undefined && (first.text === 'rate' || first.text === 'increase');
    if (isCumulative !== hasMode)
      this.#sink.error(
        first?.span ?? fn.span,
        isCumulative ? `${name} needs rate or increase as its first argument` : `${name} takes no rate or increase`,
        undefined,
        'type',
      );
    const words = fn.words.slice(hasMode ? 1 : 0).flatMap((word): readonly BucketSpec[] => {
      const found = bucketWords.find((each) => each === word.text.toLowerCase());
      const isKnown = found !== undefined && !(isCumulative && (found === 'min' || found === 'max'));
      if (!isKnown)
        this.#sink.error(word.span, `'${word.text}' is not a result of ${name}`, undefined, 'unknown_function');
      return isKnown ? [{ kind: 'word', word: found }] : [];
    });
    const quantiles = fn.args.flatMap((arg): readonly BucketSpec[] => {
      const quantile = this.#number(arg);
      if (quantile === undefined) return [];
      if (!(quantile >= 0 && quantile <= 1))
        this.#sink.error(arg.span, 'a quantile is between 0 and 1', undefined, 'type');
      return [{ kind: 'quantile', quantile }];
    });
    const specs = [...quantiles, ...words];
    if (specs.length === 0 && !this.#sink.failed)
      this.#sink.error(fn.span, `${name} needs a quantile or a statistic, such as 0.99 or count`, undefined, 'type');
    return { kind: 'bucket', by: namesOf(by), ...this.#width(to), fn: name, perSecond: first?.text === 'rate', specs };
  }

  #tag({ tag, value }: { readonly tag: Name; readonly value: Value }): ExtendedTag | undefined {
    if (value.kind === 'string' && value.parts.some(({ kind }) => kind !== 'text'))
      return {
        tag: tag.text,
        kind: 'text',
        parts: value.parts.map((part) =>
          part.kind === 'text'
            ? part.text
            : part.kind === 'tag'
              ? { tag: part.name }
              : this.#filters.insertFilter(part.name, value.span),
        ),
      };
    const constant = this.#filters.constant(value);
    return constant && { tag: tag.text, kind: 'constant', value: constant };
  }

  /** The name of a function, if it is one of the table. */
  #namedStep<T extends Readonly<Record<string, FunctionRecord>>>(
    { name, span, words }: FunctionCall,
    table: T,
    step: string,
  ): Extract<keyof T, string> | undefined {
    const meant = aliases[name] ?? name;
    if (Object.hasOwn(table, meant)) {
      if (words.length > 0 && step !== 'bucket')
        this.#sink.error(words[0]!.span, `'${words[0]!.text}' is not an argument of ${name}`, undefined, 'type');
      return meant as Extract<keyof T, string>;
    }
    const near = findNearest(name, Object.keys(table));
    const at = { start: span.start, end: span.start + name.length };
    const fix = near === undefined ? undefined : { title: `Write '${near}'`, replacement: near };
    const hint = near === undefined ? `use ${Object.keys(table).join(', ')}` : `did you mean '${near}'?`;
    this.#sink.error(at, `'${name}' is not a function of ${step}; ${hint}`, fix, 'unknown_function');
    return undefined;
  }

  #numbers({ args, span, name }: FunctionCall, count: number): readonly number[] {
    if (args.length !== count)
      this.#sink.error(
        span,
        `${name} takes ${count === 0 ? 'no number' : 'one number'}, found ${args.length}`,
        undefined,
        'type',
      );
    return args.map((arg) => this.#number(arg) ?? 0);
  }

  #number(value: Value): number | undefined {
    const resolved = this.#params.resolve(value);
    if (resolved === undefined) return undefined;
    if (resolved.kind === 'int' || resolved.kind === 'float') return resolved.value;
    this.#sink.error(value.span, `expected a number, found a ${resolved.kind}`, undefined, 'type');
    return undefined;
  }

  /** Durations are whole seconds. */
  #width(to: Value | undefined): { readonly width?: number } {
    const resolved = to && this.#params.resolve(to);
    if (resolved === undefined) return {};
    const { span } = to!;
    if (resolved.kind !== 'duration') {
      this.#sink.error(span, `expected a duration such as 5m, found a ${resolved.kind}`, undefined, 'type');
      return {};
    }
    return { width: this.#seconds(resolved.milliseconds, span) };
  }

  #seconds(milliseconds: number, span: Span): number {
    const whole = Math.round(milliseconds / 1000) * 1000;
    if (milliseconds < 1000) this.#sink.error(span, 'a window is at least one second long', undefined, 'type');
    else if (whole !== milliseconds)
      this.#sink.warning(span, `durations are whole seconds; it counts as ${whole / 1000}s`);
    return Math.max(whole, 1000);
  }

  #checkBy(by: readonly Name[], tags: ReadonlySet<string> | undefined): void {
    for (const { text, span } of by)
      if (tags !== undefined && !tags.has(text))
        this.#sink.error(span, `an earlier group dropped the tag '${text}'; add it there`, undefined, 'type');
  }
}

const namesOf = (names: readonly Name[] = []): readonly string[] => names.map(({ text }) => text);
