import { memberOf } from '../lower/values.js';
import { param } from '../functions/define.js';
import { functionNamed } from '../functions/index.js';
import type { Overload } from '../functions/define.js';
import { constant, nullScalar } from '../plan/scalar.js';
import type { Bound, Scalar } from '../plan/scalar.js';
import { fieldNamed, readingsOf } from '../plan/schema.js';
import type { Expr, IndexExpr, MemberExpr, Name, Span } from '../syntax/ast.js';
import { quoteName } from '../syntax/names.js';
import { nearest } from '../syntax/suggestions.js';
import { typeNameOf } from '../result-types.js';
import { applied } from './calls.js';
import { dynamicOf, single } from './coerce.js';
import type { Scope } from './context.js';
import { bindScalar } from './context.js';

/** What a name means: a column, else a scalar bound by `let`, else null with a warning. */
export function bindName(name: Name, scope: Scope): Bound {
  return knownName(name.text, scope) ?? missing(name.text, name.span, scope);
}

/** Binds what `other` is compared with. Next to a text, an unknown bare name may be a text without its quotes. */
export function bindOperand(expr: Expr, other: readonly Scalar[], scope: Scope): Bound {
  const mayBeText = other.some(({ kind, type }) => type === 'string' && kind !== 'constant');
  if (expr.kind !== 'name' || !mayBeText) return bindScalar(expr, scope);
  const { text, span } = expr.name;
  return knownName(text, scope) ?? missing(text, span, scope, JSON.stringify(text));
}

/** Binds an argument that must be a constant text: an unknown bare name is such a text without its quotes, whatever columns resemble it. */
export function bindConstantText(expr: Expr, scope: Scope): Bound {
  if (expr.kind !== 'name' || expr.name.quoted) return bindScalar(expr, scope);
  const { text, span } = expr.name;
  const known = knownName(text, scope);
  if (known !== undefined) return known;
  const written = `'${text}'`;
  const fix = { title: `Change to ${written}`, replacement: written };
  scope.query.report.warning('missing_column', span, `no column ${text}; a text is written ${written}`, fix);
  return [nullScalar];
}

function knownName(name: string, scope: Scope): Bound | undefined {
  // Elsewhere a dot within one segment of a name is stored as `\.`, and queries from there have it.
  const field = fieldNamed(scope.schema, name) ?? fieldNamed(scope.schema, name.replaceAll('\\.', '.'));
  if (field !== undefined) return readingsOf(field);
  const bound = scope.lets.get(name);
  return bound?.kind === 'scalar' ? bound.value : undefined;
}

/** Fields that do not exist (yet) do not fail a query: they read as null. `text` is the literal that may have been meant instead. */
function missing(name: string, span: Span, scope: Scope, text?: string): Bound {
  if (scope.aggregates !== undefined && fieldNamed(scope.aggregates.rows, name) !== undefined) {
    const message = `${asWritten(name)} has many values here: put it into an aggregate, or group by it`;
    scope.query.report.error('not_aggregate', span, message);
    return [nullScalar];
  }
  // After an error columns may be missing because of it.
  if (scope.query.report.failed) return [nullScalar];
  const names = scope.schema.fields.map((field) => field.name);
  const note = scope.siblings?.has(name) === true ? siblingNote : (partsNote(name, names) ?? foreignNote(name, scope));
  const near = note === undefined ? meantColumn(name, names) : undefined;
  const written = near === undefined ? text : asWritten(near);
  const guess = near === undefined ? `; a text is written ${text}` : `; did you mean ${written}?`;
  const more = note ?? (written === undefined ? '' : guess);
  const fix =
    note !== undefined || written === undefined ? undefined : { title: `Change to ${written}`, replacement: written };
  scope.query.report.warning('missing_column', span, `no column ${name === '' ? asWritten(name) : name}${more}`, fix);
  return [nullScalar];
}

/** What the time of an event is called elsewhere. */
const timeNames: ReadonlySet<string> = new Set(['timestamp', '@timestamp', 'time', 'ts', 'date', 'datetime']);

/**
 * The column that an unknown name was meant to be: `geo.city` for `city`, `service.name` for `resource.service.name`, otherwise one with a
 * similar spelling.
 */
export function meantColumn(name: string, names: readonly string[]): string | undefined {
  const shortest = (some: readonly string[]): string | undefined => some.toSorted((a, b) => a.length - b.length)[0];
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
const foreignNote = (name: string, { query }: Scope): string | undefined => {
  const note = foreignNotes.get(name);
  if (note !== undefined) return note;
  if (functionNamed(name)?.overloads.some(({ params }) => params.every(({ optional }) => optional === true)) === true)
    return `; a function is called with brackets: ${name}()`;
  const [dataset = '', ...rest] = name.split('.');
  return rest.length > 0 && query.catalogue.dataset(dataset) !== undefined
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
 * `a.b.c`: the column of exactly that name, else the longest dotted column that the path begins with, and the rest as keys in it.
 * A path with an index in it (`['a']['b']`) means keys of the map `a`. If there is no such map, it means the dotted column: a query written for
 * `['attributes.custom']['k']` also finds the attribute where it is a column of its own.
 */
export function bindPath(path: MemberExpr | IndexExpr, scope: Scope): Bound {
  const side = sideOf(path, scope);
  if (side !== undefined) return side;
  const dotted = plainParts(path) !== undefined;
  const parts = partsOf(path);
  if (parts !== undefined && (dotted || !hasKeys(parts[0]!, scope))) {
    for (let length = parts.length; length > 1; length--) {
      const head = parts.slice(0, length);
      const name = head.map((part) => part.text).join('.');
      const found = knownName(name, scope);
      if (found === undefined) continue;
      const span = { start: parts[0]!.span.start, end: head.at(-1)!.span.end };
      scope.query.report.hint('note', span, `read as the column ${quoteName(name)}`);
      return parts
        .slice(length)
        .reduce<Bound>((object, key) => member(object, constant('string', key.text), key.span, scope), found);
    }
    // The whole path is reported as missing, not only its first word.
    const [first] = parts;
    if (dotted && first !== undefined && knownName(first.text, scope) === undefined)
      return missing(parts.map((part) => part.text).join('.'), path.span, scope);
  }
  const object = bindScalar(path.object, scope);
  if (path.kind === 'member') return member(object, constant('string', path.member.text), path.member.span, scope);
  return member(object, single(bindScalar(path.index, scope)), path.index.span, scope);
}

/** `$left.a`, `$right['a.b']`, `$left.a.b`: binds what follows the side among the columns of that side. */
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

/** A path without the `$left` or `$right` it begins with, undefined if it begins with something else. */
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
export const spelledName = (expr: Expr): string | undefined =>
  partsOf(expr)
    ?.map((part) => part.text)
    .join('.');

/** The names and constant keys of `a.b['c']`, undefined if there is anything else in it. */
function partsOf(expr: Expr): readonly Name[] | undefined {
  if (expr.kind !== 'member' && expr.kind !== 'index') return plainParts(expr);
  const last = nameIn(expr);
  const before = last && partsOf(expr.object);
  return before && [...before, last];
}

/** Whether a name is that of a value whose keys are not columns. */
function hasKeys({ text }: Name, scope: Scope): boolean {
  const object = knownName(text, scope);
  return object !== undefined && !(hasParts(object, scope) && dynamicOf(object)?.type === 'array');
}

/** A key of an object or an element of an array. */
function member(object: Bound, index: Scalar, span: Span, scope: Scope): Bound {
  const json = dynamicOf(object);
  if (json === undefined) {
    if (object.every((scalar) => scalar.kind === 'constant' && scalar.value === null)) return [nullScalar];
    const type = single(object).type;
    const help =
      type === 'string'
        ? '; parse_json() reads JSON out of text'
        : type === 'datetime'
          ? "; parts of a time are read by datetime_part('hour', t)"
          : '';
    scope.query.report.warning('type_mismatch', span, `${typeNameOf([type])} has no members, so this is null${help}`);
    return [nullScalar];
  }
  const overload = index.type === 'long' || index.type === 'string' ? memberAccess[index.type] : undefined;
  if (overload === undefined) {
    scope.query.report.error('type_mismatch', span, `an index must be a string or a whole number, not ${index.type}`);
    return [nullScalar];
  }
  if (json.type === 'array' && index.type === 'string' && !hasParts(object, scope))
    scope.query.report.warning(
      'type_mismatch',
      span,
      'an array has no keys, so this is null; [0] is its first element, and mv-expand makes a row of each',
    );
  return [applied('member', overload, [json, index], scope.query)];
}

/** Whether members of the field are columns. Then it is an object whose empty `{}` is stored as if it were an array. */
function hasParts(object: Bound, { schema: { fields } }: Scope): boolean {
  const ids = new Set(object.map((scalar) => (scalar.kind === 'column' ? scalar.id : undefined)));
  const field = fields.find(({ readings }) => readings.some(({ id }) => ids.has(id)));
  return field !== undefined && fields.some(({ name }) => name.startsWith(`${field.name}.`));
}

const access = (type: 'long' | 'string'): Overload => ({
  params: [param('object', 'dynamic'), param('index', type)],
  returns: 'dynamic',
  lower: ([object, index]) => memberOf(object!.sql, index!),
});

const memberAccess = { long: access('long'), string: access('string') };
