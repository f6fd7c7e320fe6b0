import { consume } from '../../model/compile-budget.js';
import { aggregateNamed } from '../../aggregates/index.js';
import { functionNamed } from '../../functions/index.js';
import { constant, nullScalar } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { fieldNamed, readingsOf } from '../../plan/schema.js';
import type { Field, Schema } from '../../plan/schema.js';
import type { Expr, IndexExpr, MemberExpr, Name, Span } from '../../syntax/ast.js';
import { quoteName, spelling } from '../../syntax/names.js';
import { findNearest } from '../../syntax/hints/suggestions.js';
import { dynamicOf, single } from '../values/coerce.js';
import type { QueryContext, Scope } from '../context.js';
import { bindScalar } from '../context.js';
import { inMaps } from './in-maps.js';
import { sourceText, nameIn, partsOf, plainParts } from './spelled-name.js';
import { member, members } from './member.js';
import { isObject, objectNamed } from './objects.js';

/**
 * Binds a name to a column, else a scalar bound by `let`, else a key of a map field, else null with
 * a warning.
 */
export function bindName(name: Name, scope: Scope): Bound {
  warnOfAlias(name, scope.schema, scope.query);
  return knownName(name, scope) ?? reportMissing(name.text, name.span, scope);
}

/** Warns about a column's name from another system, and reports its name here. */
export function warnOfAlias({ text, span }: Name, schema: Schema, { report }: QueryContext): void {
  const field = fieldNamed(schema, text);
  if (field?.alias !== text || field.name === text) return;
  const written = sourceText(field.name);
  const fix = { title: `Change to ${written}`, replacement: written };
  report.warning('missing_column', span, `no column ${text}; it is called ${written} here, and read as that`, fix);
}

/**
 * Binds the operand that is compared with `other`. Next to a string, an unknown bare name may be a
 * string without its quotes.
 */
export function bindOperand(expr: Expr, other: readonly Scalar[], scope: Scope): Bound {
  const mayBeText = other.some(({ kind, type }) => type === 'string' && kind !== 'constant');
  if (expr.kind !== 'name' || !mayBeText) return bindScalar(expr, scope);
  const { text, span } = expr.name;
  return knownName(expr.name, scope) ?? reportMissing(text, span, scope, JSON.stringify(text));
}

/**
 * Binds an argument that must be a constant string: an unknown bare name is such a string without
 * its quotes, even if columns have similar names.
 */
export function bindConstantText(expr: Expr, scope: Scope): Bound {
  if (expr.kind !== 'name' || expr.name.quoted) return bindScalar(expr, scope);
  const { text, span } = expr.name;
  const known = knownName(expr.name, scope);
  if (known !== undefined) return known;
  const written = `'${text}'`;
  const fix = { title: `Change to ${written}`, replacement: written };
  scope.query.report.warning('missing_column', span, `no column ${text}; a text is written ${written}`, fix);
  return [nullScalar];
}

function knownName(name: Name, scope: Scope): Bound | undefined {
  const bound = knownPath([name], scope)?.value;
  return bound ?? inMapsOnly(name, scope);
}

/** The column of a name, or its values in map fields. */
export const storedUnder = (name: Name, scope: Scope): Bound | undefined =>
  columnOfPath([name], scope)?.value ?? objectOfPath([name], scope)?.value ?? inMapsOnly(name, scope);

function inMapsOnly(name: Name, scope: Scope): Bound | undefined {
  const key = inMaps([name], scope);
  return key && [key];
}

interface ResolvedPath {
  readonly value: Bound;
  readonly isInMaps: boolean;
}

/**
 * Binds a path to the column with that name, including its values in map fields and the object of
 * its members, or else to a scalar bound by `let`, or else to an object that has only members.
 */
function knownPath(path: readonly Name[], scope: Scope): ResolvedPath | undefined {
  const column = columnOfPath(path, scope);
  if (column !== undefined) return column;
  const bound = scope.lets.get(spelling(path));
  if (bound?.kind !== 'scalar') return objectOfPath(path, scope);
  const span = { start: path[0]!.span.start, end: path.at(-1)!.span.end };
  return { value: scope.query.expressions.repeats(bound.value, span) ? bound.value : [nullScalar], isInMaps: false };
}

function columnOfPath(path: readonly Name[], scope: Scope): ResolvedPath | undefined {
  const field = fieldOfPath(path, scope.schema);
  if (field === undefined) return undefined;
  const key = inMaps(path, scope, field);
  const value = (path[0]?.isColumn === true ? undefined : objectNamed(field.name, scope.schema)) ?? readingsOf(field);
  return { value: key === undefined ? value : [...value, key], isInMaps: key !== undefined };
}

function fieldOfPath(path: readonly Name[], schema: Schema): Field | undefined {
  const name = spelling(path);
  // Elsewhere a dot within one segment of a name is stored as `\.`, and queries from there have it.
  return fieldNamed(schema, name) ?? fieldNamed(schema, withoutEscapes(name));
}

/** An object that events contain only as separate members. */
function objectOfPath(path: readonly Name[], scope: Scope): ResolvedPath | undefined {
  const object = objectNamed(withoutEscapes(spelling(path)), scope.schema);
  if (object === undefined) return undefined;
  const key = inMaps(path, scope);
  return { value: key === undefined ? object : [...object, key], isInMaps: key !== undefined };
}

const withoutEscapes = (name: string): string => name.replaceAll('\\.', '.');

/**
 * Binds an unknown field to null, because fields that do not exist (yet) do not fail a query.
 * `text` is the literal that may have been intended.
 */
function reportMissing(name: string, span: Span, scope: Scope, text?: string): Bound {
  if (scope.aggregates !== undefined && fieldNamed(scope.aggregates.rows, name) !== undefined) {
    const message = `${sourceText(name)} has many values here: put it into an aggregate, or group by it`;
    scope.query.report.error('not_aggregate', span, message);
    return [nullScalar];
  }
  // After an error columns may be missing because of it.
  if (scope.query.report.failed || scope.query.report.isFull) return [nullScalar];
  const names = scope.schema.fields.map((field) => field.name);
  consume(names.length / 20);
  const longer = longerName(name, names, text);
  const note =
    scope.siblings?.has(name) === true ? siblingNote : (partsNote(name, names) ?? foreignNote(name, scope, longer));
  const near = note === undefined ? (resolveColumn(name, names) ?? longer) : undefined;
  const written = near === undefined ? text : sourceText(near);
  const guess = near === undefined ? `; a text is written ${text}` : `; did you mean ${written}?`;
  const more = note ?? (written === undefined ? '' : guess);
  const fix =
    note !== undefined || written === undefined ? undefined : { title: `Change to ${written}`, replacement: written };
  scope.query.report.warning('missing_column', span, `no column ${name === '' ? sourceText(name) : name}${more}`, fix);
  return [nullScalar];
}

/**
 * The column whose name has these words at its end or its beginning: `sum_bytes` for `bytes` or
 * `sum`, `make_set_a` for `set_a`.
 */
function longerName(name: string, names: readonly string[], text: string | undefined): string | undefined {
  const wordsOf = (some: string): string => some.toLowerCase().replaceAll('.', '_');
  const words = wordsOf(name).replace(/_$/, '');
  // A possible string without quotes takes precedence.
  if (words.length < 3 || text !== undefined) return undefined;
  return shortest(
    names.filter((other) => wordsOf(other).endsWith(`_${words}`) || wordsOf(other).startsWith(`${words}_`)),
  );
}

const shortest = (some: readonly string[]): string | undefined => some.toSorted((a, b) => a.length - b.length)[0];

/** Names of the event time in other systems. */
const timeNames: ReadonlySet<string> = new Set(['timestamp', '@timestamp', 'time', 'ts', 'date', 'datetime']);

/**
 * The column that resembles an unknown name: `geo.city` for `city`, `service.name` for
 * `resource.service.name`, otherwise one with a similar spelling.
 */
export function resolveColumn(name: string, names: readonly string[]): string | undefined {
  return (
    shortest(names.filter((other) => other.endsWith(`.${name}`))) ??
    shortest(names.filter((other) => other.includes('.') && name.endsWith(`.${other}`))) ??
    findNearest(name, names) ??
    (timeNames.has(name.toLowerCase()) ? names.find((other) => other === '_time') : undefined)
  );
}

/** Unknown names that are probably not columns. */
const foreignNotes: ReadonlyMap<string, string> = new Map([
  ['not', '; not stands before a whole condition: not(a contains "b")'],
  ['asc', '; asc stands behind its column, without a comma'],
  ['desc', '; desc stands behind its column, without a comma'],
  ['auto', '; bin_auto(_time) chooses the size of the bins'],
]);

/** The probable meaning of an unknown name that is not a column, and what to write instead. */
const foreignNote = (name: string, { query }: Scope, longer: string | undefined): string | undefined => {
  const note = foreignNotes.get(name);
  if (note !== undefined) return note;
  const [, digits, unit = ''] = /^(\d[\d_]*)([kKMmGgBb]?)$/.exec(name) ?? [];
  if (digits !== undefined) {
    const power = { '': 0, k: 3, m: 6, g: 9, b: 9 }[unit.toLowerCase()] ?? 0;
    return `; a number is written ${digits.replaceAll('_', '')}${'0'.repeat(power)}`;
  }
  const overloads = functionNamed(name)?.overloads ?? aggregateNamed(name)?.overloads;
  // After summarize, `sum` is rather its column `sum_bytes` than the function.
  if (overloads !== undefined && longer === undefined) {
    const takesNone = overloads.some(({ params }) => params.every(({ optional }) => optional === true));
    return `; a function is called with brackets: ${name}(${takesNone ? '' : '…'})`;
  }
  const [dataset = '', ...rest] = name.split('.');
  // Datasets that the query may not read are not considered: looking them up would reject the whole
  // query.
  return rest.length > 0 && query.catalog.names.includes(dataset)
    ? `; columns are named without their dataset: ${sourceText(rest.join('.'))}, and in a join $left.a == $right.b`
    : undefined;
};

const siblingNote = ' yet; what one extend adds can be read in the next';

/** Note that members of objects are separate columns; the object itself is not a column. */
function partsNote(name: string, names: readonly string[]): string | undefined {
  const part = names.find((other) => other.startsWith(`${name}.`));
  return part === undefined ? undefined : `; its members are columns, such as ${sourceText(part)}`;
}

/**
 * Binds `a.b.c` and `a['b']['c']`: the column of exactly that name, or else the longest dotted
 * column that the path begins with, with the rest as keys in it. If the query made an object `a`,
 * the path reads keys of that object. If events of a dataset have the value in a column or in a map
 * field, all spellings read both.
 */
export function bindPath(path: MemberExpr | IndexExpr, scope: Scope): Bound {
  const side = sideOf(path, scope);
  if (side !== undefined) return side;
  const dotted = plainParts(path) !== undefined;
  const parts = partsOf(path);
  const [first] = parts ?? [];
  if (parts !== undefined && first !== undefined) {
    for (let length = parts.length; length > 1; length--) {
      const head = parts.slice(0, length);
      const found = isInMade(head, scope) ? undefined : knownPath(head, scope);
      if (found === undefined) continue;
      const span = { start: first.span.start, end: head.at(-1)!.span.end };
      const also = found.isInMaps ? ', or where events have none as a key of a map field' : '';
      scope.query.report.hint('note', span, `read as the column ${quoteName(spelling(head))}${also}`);
      return members(found.value, parts.slice(length), scope);
    }
    // The whole path is reported as missing, not only its first word.
    if ((dotted || isObject(first.text, scope.schema)) && !mayHaveKeys(first, scope))
      return reportMissing(spelling(parts), path.span, scope);
  }
  const object = bindScalar(path.object, scope);
  if (path.kind === 'member') return member(object, constant('string', path.member.text), path.member.span, scope);
  return member(object, single(bindScalar(path.index, scope)), path.index.span, scope);
}

/** Binds `$left.a`, `$right['a.b']`, `$left.a.b`: the rest of the path is a column of that side. */
function sideOf(path: MemberExpr | IndexExpr, scope: Scope): Bound | undefined {
  if (scope.sides === undefined) return undefined;
  const found = behindSide(path);
  if (found === undefined) return undefined;
  const { sides, ...rest } = scope;
  return bindScalar(found.expr, { ...rest, schema: sides[found.side] });
}

interface BehindSide {
  readonly side: 'left' | 'right';
  readonly expr: Expr;
}

/**
 * A path without the `$left` or `$right` it begins with, undefined if it begins with something
 * else.
 */
function behindSide(path: MemberExpr | IndexExpr): BehindSide | undefined {
  const { object } = path;
  if (object.kind === 'member' || object.kind === 'index') {
    const found = behindSide(object);
    return found && { side: found.side, expr: { ...path, object: found.expr } };
  }
  if (object.kind !== 'name') return undefined;
  const root = object.name.text;
  if (root !== '$left' && root !== '$right') return undefined;
  const name = nameIn(path);
  return name && { side: root === '$left' ? 'left' : 'right', expr: { kind: 'name', name, span: path.span } };
}

/**
 * Whether a path leads into an object that the query made, rather than to a column that an event
 * has beside it.
 */
function isInMade(path: readonly Name[], { schema }: Scope): boolean {
  if (fieldOfPath(path, schema)?.events === undefined && !isObject(spelling(path), schema)) return false;
  return path.slice(1).some((_, i) => {
    const field = fieldOfPath(path.slice(0, i + 1), schema);
    return field !== undefined && field.events === undefined && dynamicOf(readingsOf(field)) !== undefined;
  });
}

/** Whether a name is known, and its members are not just columns. */
function mayHaveKeys(name: Name, scope: Scope): boolean {
  const known = knownName(name, scope);
  if (known === undefined || !isObject(name.text, scope.schema)) return known !== undefined;
  const own = fieldOfPath([name], scope.schema)?.readings ?? [];
  return own.some(({ type }) => type === 'bag' || type === 'dynamic');
}
