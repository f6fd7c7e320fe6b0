import type { Overload } from '../../functions/define.js';
import { functionNamed } from '../../functions/index.js';
import { callOf, constant } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import { parseDatetime } from '../../syntax/lexing/datetime.js';
import type { Expr, Span } from '../../syntax/ast.js';
import { isNumeric } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import type { QueryContext } from '../context.js';
import { sourceText, spelledName } from '../names/spelled-name.js';
import { textOfLiteral } from './literal-text.js';

/**
 * Texts where a value of another type is needed: senders write times, numbers and booleans as
 * texts, so each value is read as the conversion function of the type reads it. A text that cannot
 * be read is null. A finding says so and names the function.
 */

/** The types that texts are read as, and the functions that read them, the preferred type first. */
const readers = {
  datetime: 'todatetime',
  real: 'todouble',
  long: 'tolong',
  timespan: 'totimespan',
  bool: 'tobool',
} as const satisfies Partial<Record<ScalarType, string>>;

export type ReadType = keyof typeof readers;

/** The place of a type in the order of preference; undefined for types that no text is read as. */
export function preferenceOf(type: ScalarType | 'number' | 'any'): number | undefined {
  const place = Object.keys(readers).indexOf(type === 'number' ? 'real' : type);
  return place < 0 ? undefined : place;
}

/** The function that reads texts as a type; undefined for types that no text is read as. */
export const readerOf = (type: ScalarType): string | undefined =>
  (readers as Partial<Record<ScalarType, string>>)[type];

/** A text as another type; a constant is read while compiling, and undefined if it cannot be. */
export function readText(text: Scalar, type: ReadType, query: QueryContext): Scalar | undefined {
  if (text.kind === 'constant' && typeof text.value !== 'string') return constant(type, null);
  const overload = overloadFor(type);
  const read = callOf(readers[type], overload, [text]);
  if (text.kind !== 'constant') return read;
  const { now, reference } = query;
  const time = type === 'datetime' ? parseDatetime(String(text.value)) : undefined;
  const value = time ?? overload.fold?.([text.value], { now, reference });
  if (value === null) return undefined;
  return value === undefined ? read : constant(type, value);
}

function overloadFor(type: ReadType): Overload {
  const overload = functionNamed(readers[type])?.overloads.find(({ params: [param] }) => param?.type === 'string');
  if (overload === undefined) throw new RangeError(`no function ${readers[type]} of texts`);
  return overload;
}

/** The number in a constant text: an integer where there are only digits, which keeps them all. */
export const readNumber = (text: Scalar, query: QueryContext): Scalar | undefined =>
  readText(text, 'long', query) ?? readText(text, 'real', query);

/** Where a text stands that is read as another type. */
export interface TextPlace {
  readonly span: Span;
  /** The expression in the query, if there is one. */
  readonly expr?: Expr | undefined;
}

/** Reports that each value of a text is read as another type, and offers the explicit form. */
export function noteReading({ span, expr }: TextPlace, type: ScalarType, { report }: QueryContext): void {
  const name = expr && spelledName(expr);
  const reader = readers[type as ReadType];
  const rest = 'one that it cannot read is null';
  if (expr === undefined || name === undefined) {
    report.warning('converted', span, `strings are read here with ${reader}(); ${rest}`);
    return;
  }
  const written = sourceText(name);
  const replacement = `${reader}(${written})`;
  const message = `strings in ${written} are read here with ${replacement}; ${rest}`;
  report.warning('converted', expr.span, message, { title: `Change to ${replacement}`, replacement });
}

/** Reports that a call leaves the texts of a mixed field out, and offers to read them. */
export function noteLeftOut(call: string, { span, expr }: TextPlace, type: ReadType, { report }: QueryContext): void {
  const name = expr && spelledName(expr);
  const written = name === undefined ? undefined : sourceText(name);
  const replacement = `${readers[type]}(${written ?? ''})`;
  const fix = written === undefined ? undefined : { title: `Change to ${replacement}`, replacement };
  const message = `${written ?? 'this'} also has texts, which ${call} leaves out; ${replacement} reads those it can`;
  report.warning('note', span, message, fix);
}

/**
 * Reports that a string literal is parsed as another type, and suggests the literal of that type.
 */
export function noteReadConstant({ span, expr }: TextPlace, read: Scalar, { report }: QueryContext): void {
  if (read.kind !== 'constant' || read.type === 'datetime') return;
  const written = textOfLiteral(read);
  const fix = expr?.kind === 'literal' ? { title: `Change to ${written}`, replacement: written } : undefined;
  const kind = isNumeric(read.type) ? 'number' : read.type;
  report.warning('converted', span, `the string is read as a ${kind}; without quotes: ${written}`, fix);
}
