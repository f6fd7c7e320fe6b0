import { readRegex, type Span } from '@millrace/apl/positions';
import type { DiagnosticSink } from '../model/diagnostics.js';
import type { File, Parameter, ParameterType, Value } from '../syntax/ast.js';
import { parseLiteral } from '../syntax/parse.js';

/** Names that begin so belong to the server, or to the program that sends their values. */
const reservedPrefix = '__';

/** The values of the parameters of a query: those of the request, and those of the server. */
export class Parameters {
  readonly #values = new Map<string, Value>();
  readonly #parameters: ReadonlyMap<string, Parameter>;
  readonly #sink: DiagnosticSink;

  /** @param given the texts of literals, by name */
  constructor({ params }: File, given: Readonly<Record<string, string>>, interval: number, sink: DiagnosticSink) {
    this.#sink = sink;
    this.#parameters = new Map(params.map((param) => [param.name.text, param]));
    const start = { start: 0, end: 0 };
    this.#values.set('__interval', { kind: 'duration', milliseconds: interval, span: start });
    for (const { name, type, isOptional } of params) {
      const text = given[name.text];
      // Axiom's data source for Grafana declares `$__interval` and sends its value.
      if (name.text.startsWith(reservedPrefix) && text === undefined)
        sink.error(
          name.span,
          `names of parameters cannot begin with '${reservedPrefix}'; choose another one`,
          undefined,
          'parameter',
        );
      if (text !== undefined) this.#read(name.text, name.span, type, text);
      else if (!isOptional)
        sink.error(
          name.span,
          `the parameter $${name.text} has no value; send params.param__${name.text}`,
          undefined,
          'parameter',
        );
    }
    const extra = Object.keys(given).filter((name) => !this.#parameters.has(name));
    if (extra.length > 0)
      sink.warning(start, `These params were provided but not declared: ${extra.map((name) => `$${name}`).join(', ')}`);
  }

  /** Whether an optional parameter has a value. Reports a parameter that is not optional. */
  isGiven(name: string, span: Span): boolean {
    const declared = this.#parameters.get(name);
    if (declared === undefined) this.#unknown(name, span);
    else if (!declared.isOptional)
      this.#sink.error(
        span,
        `ifdef needs an optional parameter; declare it as Option<${declared.type}>`,
        undefined,
        'parameter',
      );
    return this.#values.has(name);
  }

  /**
   * The value that stands for a parameter; other values are returned as they are. Undefined after
   * an error.
   * @param guard the optional parameter that is known to have a value here
   */
  resolve(value: Value, guard?: string): Value | undefined {
    if (value.kind !== 'param') return value;
    const declared = this.#parameters.get(value.name);
    const found = this.#values.get(value.name);
    if (declared === undefined && found === undefined) {
      this.#unknown(value.name, value.span);
      return undefined;
    }
    if (declared?.isOptional === true && guard !== value.name)
      this.#sink.error(
        value.span,
        `the optional parameter $${value.name} can be used only inside ifdef($${value.name})`,
        undefined,
        'parameter',
      );
    return found === undefined ? undefined : { ...found, span: value.span };
  }

  #unknown(name: string, span: Span): void {
    this.#sink.error(
      span,
      `the parameter $${name} is not declared; write 'param $${name}: string;' first`,
      undefined,
      'unknown_parameter',
    );
  }

  #read(name: string, span: Span, type: ParameterType, text: string): void {
    const { value, findings } = parseLiteral(text);
    if (value === undefined)
      return this.#sink.error(
        span,
        `the value of $${name} is not a literal: ${findings[0]?.message ?? text}`,
        undefined,
        'parameter',
      );
    if (!fits(value, type))
      return this.#sink.error(
        span,
        `the value of $${name} is of type ${value.kind}, not ${type}`,
        undefined,
        'parameter',
      );
    this.#values.set(name, value);
  }
}

function fits(value: Value, type: ParameterType): boolean {
  switch (type) {
    case 'string':
    case 'Dataset':
      return value.kind === 'string';
    case 'float':
      return value.kind === 'float' || value.kind === 'int';
    case 'int':
    case 'bool':
    case 'array':
      return value.kind === type;
    case 'Duration':
      return value.kind === 'duration';
    case 'Regex':
      return value.kind === 'regex';
  }
}

/** Reports a pattern that the engine would not take. */
export function checkRegex(pattern: string, span: Span, sink: DiagnosticSink): void {
  const reading = readRegex(pattern);
  if (!reading.ok) sink.error(span, `the regular expression is not valid: ${reading.message}`, undefined, 'type');
}
