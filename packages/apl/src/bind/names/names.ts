import { spend } from '../../effort.js';
import { aggregateNamed } from '../../aggregates/index.js';
import { functionNamed } from '../../functions/index.js';
import { constant, nullScalar } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { fieldNamed, readingsOf } from '../../plan/schema.js';
import type { Schema } from '../../plan/schema.js';
import type { Expr, IndexExpr, MemberExpr, Name, Span } from '../../syntax/ast.js';
import { quoteName, spelling } from '../../syntax/names.js';
import { nearest } from '../../syntax/hints/suggestions.js';
import { dynamicOf, single } from '../values/coerce.js';
import type { QueryContext, Scope } from '../context.js';
import { bindScalar } from '../context.js';
import { inMaps } from './in-maps.js';
import { hasParts, member, members } from './member.js';

/**
 * What a name means: a column, else a scalar bound by `let`, else a key of a map field, else null
 * with a warning.
 */
export function bindName(name: Name, scope: Scope): Bound {
  warnOfAlias(name, scope.schema, scope.query);
  return knownName(name, scope) ?? missing(name.text, name.span, scope);
}

/** Says how a column is called that is named as it is elsewhere. */
export function warnOfAlias({ text, span }: Name, schema: Schema, { report }: QueryContext): void {
  const field = fieldNamed(schema, text);
  if (field?.alias !== text || field.name === text) return;
  const written = asWritten(field.name);
  const fix = { title: `Change to ${written}`, replacement: written };
  report.warning('missing_column', span, `no column ${text}; it is called ${written} here, and read as that`, fix);
}

/**
 * Binds what `other` is compared with. Next to a text, an unknown bare name may be a text without
 * its quotes.
 */
export function bindOperand(expr: Expr, other: readonly Scalar[], scope: Scope): Bound {
  const mayBeText = other.some(({ kind, type }) => type === 'string' && kind !== 'constant');
  if (expr.kind !== 'name' || !mayBeText) return bindScalar(expr, scope);
  const { text, span } = expr.name;
  return knownName(expr.name, scope) ?? missing(text, span, scope, JSON.stringify(text));
}

/**
 * Binds an argument that must be a constant text: an unknown bare name is such a text without its
 * quotes, whatever columns resemble it.
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

/** The column of a name, or what events have of it in map fields. */
export const storedUnder = (name: Name, scope: Scope): Bound | undefined =>
  columnOfPath([name], scope)?.value ?? inMapsOnly(name, scope);

function inMapsOnly(name: Name, scope: Scope): Bound | undefined {
  const key = inMaps([name], scope);
  return key && [key];
}

interface Known {
  readonly value: Bound;
  readonly isInMaps: boolean;
}

/**
 * The column whose name the path spells, with what events have of it in map fields, else a scalar
 * bound by `let`.
 */
function knownPath(path: readonly Name[], scope: Scope): Known | undefined {
  const column = columnOfPath(path, scope);
  if (column !== undefined) return column;
  const bound = scope.lets.get(spelling(path));
  if (bound?.kind !== 'scalar') return undefined;
  const span = { start: path[0]!.span.start, end: path.at(-1)!.span.end };
  return { value: scope.query.expressions.repeats(bound.value, span) ? bound.value : [nullScalar], isInMaps: false };
}

function columnOfPath(path: readonly Name[], scope: Scope): Known | undefined {
  const name = spelling(path);
  // Elsewhere a dot within one segment of a name is stored as `\.`, and queries from there have it.
  const field = fieldNamed(scope.schema, name) ?? fieldNamed(scope.schema, name.replaceAll('\\.', '.'));
  if (field === undefined) return undefined;
  const key = inMaps(path, scope, field);
  return { value: key === undefined ? readingsOf(field) : [...readingsOf(field), key], isInMaps: key !== undefined };
}

/**
 * Fields that do not exist (yet) do not fail a query: they read as null. `text` is the literal that
 * may have been meant instead.
 */
function missing(name: string, span: Span, scope: Scope, text?: string): Bound {
  if (scope.aggregates !== undefined && fieldNamed(scope.aggregates.rows, name) !== undefined) {
    const message = `${asWritten(name)} has many values here: put it into an aggregate, or group by it`;
    scope.query.report.error('not_aggregate', span, message);
    return [nullScalar];
  }
  // After an error columns may be missing because of it.
  if (scope.query.report.failed || scope.query.report.isFull) return [nullScalar];
  const names = scope.schema.fields.map((field) => field.name);
  spend(names.length / 20);
  const longer = longerName(name, names, text);
  const note =
    scope.siblings?.has(name) === true ? siblingNote : (partsNote(name, names) ?? foreignNote(name, scope, longer));
  const near = note === undefined ? (meantColumn(name, names) ?? longer) : undefined;
  const written = near === undefined ? text : asWritten(near);
  const guess = near === undefined ? `; a text is written ${text}` : `; did you mean ${written}?`;
  const more = note ?? (written === undefined ? '' : guess);
  const fix =
    note !== undefined || written === undefined ? undefined : { title: `Change to ${written}`, replacement: written };
  scope.query.report.warning('missing_column', span, `no column ${name === '' ? asWritten(name) : name}${more}`, fix);
  return [nullScalar];
}

/**
 * The column whose name has these words at its end or its beginning: `sum_bytes` for `bytes` or
 * `sum`, `make_set_a` for `set_a`.
 */
function longerName(name: string, names: readonly string[], text: string | undefined): string | undefined {
  const wordsOf = (some: string): string => some.toLowerCase().replaceAll('.', '_');
  const words = wordsOf(name).replace(/_$/, '');
  // What may be a text without its quotes is rather that.
  if (words.length < 3 || text !== undefined) return undefined;
  return shortest(
    names.filter((other) => wordsOf(other).endsWith(`_${words}`) || wordsOf(other).startsWith(`${words}_`)),
  );
}

const shortest = (some: readonly string[]): string | undefined => some.toSorted((a, b) => a.length - b.length)[0];

/** What the time of an event is called elsewhere. */
const timeNames: ReadonlySet<string> = new Set(['timestamp', '@timestamp', 'time', 'ts', 'date', 'datetime']);

/**
 * The column that an unknown name was meant to be: `geo.city` for `city`, `service.name` for
 * `resource.service.name`, otherwise one with a similar spelling.
 */
export function meantColumn(name: string, names: readonly string[]): string | undefined {
  return (
    shortest(names.filter((other) => other.endsWith(`.${name}`))) ??
    shortest(names.filter((other) => other.includes('.') && name.endsWith(`.${other}`))) ??
    nearest(name, names) ??
    (timeNames.has(name.toLowerCase()) ? names.find((other) => other === '_time') : undefined)
  );
}

/** Unknown names that were meant as something else than a column. */
const foreignNotes: ReadonlyMap<string, string> = new Map([
  ['not', '; not stands before a whole condition: not(a contains "b")'],
  ['asc', '; asc stands behind its column, without a comma'],
  ['desc', '; desc stands behind its column, without a comma'],
  ['auto', '; bin_auto(_time) chooses the size of the bins'],
]);

/** What an unknown name was meant as if not as a column, and what to write instead. */
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
  // Whether there are others that the query may not read is not asked: the answer would be a
  // refusal of the whole query.
  return rest.length > 0 && query.catalogue.names.includes(dataset)
    ? `; columns are named without their dataset: ${asWritten(rest.join('.'))}, and in a join $left.a == $right.b`
    : undefined;
};

const siblingNote = ' yet; what one extend adds can be read in the next';

/** Members of objects are columns of their own; the object itself is not a column. */
function partsNote(name: string, names: readonly string[]): string | undefined {
  const part = names.find((other) => other.startsWith(`${name}.`));
  return part === undefined ? undefined : `; its members are columns, such as ${asWritten(part)}`;
}

/** A name as it has to be written in a query. */
export const asWritten = (name: string): string => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quoteName(name));

/**
 * `a.b.c`: the column of exactly that name, else the longest dotted column that the path begins
 * with, and the rest as keys in it. A path with an index in it (`['a']['b']`) means keys of the map
 * `a`. If there is no such map, it means the dotted column: a query written for
 * `['attributes.custom']['k']` also finds the attribute where it is a column of its own. Where
 * events of a dataset have the value in either place, all spellings mean both.
 */
export function bindPath(path: MemberExpr | IndexExpr, scope: Scope): Bound {
  const side = sideOf(path, scope);
  if (side !== undefined) return side;
  const dotted = plainParts(path) !== undefined;
  const parts = partsOf(path);
  const [first] = parts ?? [];
  if (parts !== undefined && first !== undefined) {
    const isKeys = !dotted && hasKeys(first, scope);
    for (let length = parts.length; length > 1; length--) {
      const head = parts.slice(0, length);
      const found = knownPath(head, scope);
      if (found === undefined || (isKeys && !found.isInMaps)) continue;
      const span = { start: first.span.start, end: head.at(-1)!.span.end };
      const also = found.isInMaps ? ', or where events have none as a key of a map field' : '';
      scope.query.report.hint('note', span, `read as the column ${quoteName(spelling(head))}${also}`);
      return members(found.value, parts.slice(length), scope);
    }
    // The whole path is reported as missing, not only its first word.
    if (dotted && knownName(first, scope) === undefined) return missing(spelling(parts), path.span, scope);
  }
  const object = bindScalar(path.object, scope);
  if (path.kind === 'member') return member(object, constant('string', path.member.text), path.member.span, scope);
  return member(object, single(bindScalar(path.index, scope)), path.index.span, scope);
}

/**
 * `$left.a`, `$right['a.b']`, `$left.a.b`: binds what follows the side among the columns of that
 * side.
 */
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

function nameIn(path: MemberExpr | IndexExpr): Name | undefined {
  if (path.kind === 'member') return path.member;
  const { index } = path;
  return index.kind === 'literal' && typeof index.value === 'string'
    ? { text: index.value, quoted: true, span: index.span }
    : undefined;
}

/** The names of `a.b.c`, undefined if there is anything else in it. */
function plainParts(expr: Expr): readonly Name[] | undefined {
  if (expr.kind === 'name') return [expr.name];
  if (expr.kind !== 'member') return undefined;
  const before = plainParts(expr.object);
  return before === undefined ? undefined : [...before, expr.member];
}

/** The dotted name that `a`, `a.b` and `['a']['b']` spell, undefined for anything else. */
export function spelledName(expr: Expr): string | undefined {
  const parts = partsOf(expr);
  return parts && spelling(parts);
}

/** The names and constant keys of `a.b['c']`, undefined if there is anything else in it. */
function partsOf(expr: Expr): readonly Name[] | undefined {
  if (expr.kind !== 'member' && expr.kind !== 'index') return plainParts(expr);
  const last = nameIn(expr);
  const before = last && partsOf(expr.object);
  return before && [...before, last];
}

/** Whether a name is that of a value whose keys are not columns. */
function hasKeys(name: Name, scope: Scope): boolean {
  const object = knownName(name, scope);
  return object !== undefined && !(hasParts(object, scope) && dynamicOf(object)?.type === 'array');
}
