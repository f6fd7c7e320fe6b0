import { DiagnosticSink, type Diagnostic } from '../model/diagnostics.js';
import type { Directive, File, FilterStep, Parameter, ParameterType, Pipe, Query, Value } from './ast.js';
import { parameterTypes } from './ast.js';
import { Cursor, SyntaxProblem } from './cursor.js';
import { parseFilterStep } from './filters.js';
import { lex } from './lexer.js';
import { parsePipe, parseUsing } from './pipes.js';
import { parseSource } from './source.js';
import { parseValue } from './values.js';

/** Nested queries of `compute`; reading them recurses. */
const deepest = 16;

/** Reads a text. Never throws; reports the mistakes it finds in every step. */
export function parse(
  text: string,
  sink = new DiagnosticSink(),
): { readonly file: File; readonly sink: DiagnosticSink } {
  const cursor = new Cursor(lex(text, sink), sink);
  const directives: Directive[] = [];
  const params: Parameter[] = [];
  let query: Query | undefined;
  canRecover(cursor, () => {
    while (cursor.is('set') && cursor.peek(1).kind === 'name') directives.push(parseDirective(cursor));
    while (cursor.is('param') && cursor.peek(1).kind === 'param') params.push(parseParameter(cursor));
    query = parseQuery(cursor, 0);
    if (!cursor.isOver) cursor.refuse('expected | and a step, or the end');
  });
  return { file: { directives, params, query }, sink };
}

/** Reads a literal, as the values of parameters in requests are written. */
export function parseLiteral(text: string): {
  readonly value: Value | undefined;
  readonly findings: readonly Diagnostic[];
} {
  const sink = new DiagnosticSink();
  const cursor = new Cursor(lex(text, sink), sink);
  let value: Value | undefined;
  canRecover(cursor, () => {
    value =
      cursor.next.kind === 'name' && !['inf', 'true', 'false'].includes(cursor.next.text)
        ? nameAsText(cursor)
        : parseValue(cursor);
    if (!cursor.isOver) cursor.refuse('expected the end of the value');
  });
  return { value: sink.failed ? undefined : value, findings: sink.inOrder() };
}

/** A quoted name as a value, as the names of datasets are written. */
function nameAsText(cursor: Cursor): Value {
  const { text, span } = cursor.name('a value');
  return { kind: 'string', parts: [{ kind: 'text', text }], span };
}

function canRecover(cursor: Cursor, work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    cursor.recover();
    return false;
  }
}

function parseDirective(cursor: Cursor): Directive {
  cursor.take();
  const name = cursor.name('the name of a setting');
  if (!cursor.has('=')) {
    cursor.expect(';', 'after the setting');
    return { name };
  }
  const { next } = cursor;
  const value =
    next.kind === 'name' && !['inf', 'true', 'false'].includes(next.text) ? cursor.name('a value') : parseValue(cursor);
  cursor.expect(';', 'after the setting');
  return { name, value };
}

function parseParameter(cursor: Cursor): Parameter {
  cursor.take();
  const { name, span } = cursor.takeKind('param')!;
  cursor.expect(':', 'before the type');
  const isOptional = cursor.has('Option');
  if (isOptional) cursor.expect('<', 'before the type');
  const { text } = cursor.next;
  const written = text === 'duration' ? 'Duration' : text;
  const type = parameterTypes.find((each): each is ParameterType => each === written);
  if (type === undefined) cursor.refuse(`expected a type: ${parameterTypes.join(', ')}`);
  cursor.take();
  if (isOptional) cursor.expect('>', 'after the type');
  cursor.expect(';', 'after the type');
  return { name: { text: name, span }, type, isOptional };
}

function parseQuery(cursor: Cursor, depth: number): Query {
  return cursor.is('(') ? parseCompute(cursor, depth) : parseSimple(cursor);
}

function parseCompute(cursor: Cursor, depth: number): Query {
  const start = cursor.next.span.start;
  if (depth >= deepest) cursor.refuse(`expected at most ${deepest} nested queries`, 'limit');
  cursor.expect('(', 'before the queries');
  const left = parseQuery(cursor, depth + 1);
  cursor.expect(',', 'between the queries');
  const right = parseQuery(cursor, depth + 1);
  cursor.has(',');
  cursor.expect(')', 'after the queries');
  cursor.expect('|', 'and compute after the queries');
  cursor.expect('compute', 'after the queries');
  const name = cursor.name('a name for the result');
  const fn = parseUsing(cursor);
  const pipes = parsePipes(cursor);
  return { kind: 'compute', left, right, name, fn, pipes, span: cursor.spanFrom(start) };
}

function parseSimple(cursor: Cursor): Query {
  const start = cursor.next.span.start;
  const source = parseSource(cursor);
  const offset = parseOffset(cursor);
  const sample = parseSample(cursor);
  const filters: FilterStep[] = [];
  while (cursor.is('|') && ['where', 'filter', 'ifdef'].includes(cursor.peek(1).text)) {
    cursor.take();
    canRecover(cursor, () => filters.push(parseFilterStep(cursor)));
  }
  const pipes = parsePipes(cursor);
  return {
    kind: 'simple',
    source,
    ...(offset && { offset }),
    ...(sample && { sample }),
    filters,
    pipes,
    span: cursor.spanFrom(start),
  };
}

function parseOffset(cursor: Cursor): { readonly milliseconds: number; readonly span: Value['span'] } | undefined {
  if (!cursor.is('|') || cursor.peek(1).text !== 'offset') return undefined;
  cursor.take();
  cursor.take();
  const value = parseValue(cursor, 'a duration such as -1w');
  if (value.kind === 'duration') return { milliseconds: value.milliseconds, span: value.span };
  cursor.sink.error(value.span, 'expected a duration such as -1w', undefined, 'type');
  return undefined;
}

function parseSample(cursor: Cursor): { readonly value: number; readonly span: Value['span'] } | undefined {
  if (!cursor.is('|') || cursor.peek(1).text !== 'sample') return undefined;
  cursor.take();
  cursor.take();
  const value = parseValue(cursor, 'a fraction of the series');
  if (value.kind === 'int' || value.kind === 'float') return { value: value.value, span: value.span };
  cursor.sink.error(value.span, 'expected a number between 0 and 1', undefined, 'type');
  return undefined;
}

function parsePipes(cursor: Cursor): readonly Pipe[] {
  const pipes: Pipe[] = [];
  while (cursor.has('|')) {
    canRecover(cursor, () => {
      if (['where', 'filter', 'ifdef'].includes(cursor.next.text))
        cursor.refuse('filters stand before all other steps: expected another step', 'order');
      pipes.push(parsePipe(cursor));
    });
  }
  return pipes;
}
