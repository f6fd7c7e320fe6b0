import { withoutEmpty } from '../../functions/array/bags.js';
import { defineOverload, param } from '../../functions/define.js';
import type { Param } from '../../functions/define.js';
import { rowIdText } from '../../lower/row-id.js';
import { columnOf, constant, constantText, nullScalar } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { fieldNamed, readingsOf } from '../../plan/schema.js';
import type { CallExpr, Expr, Name } from '../../syntax/ast.js';
import type { Keyword } from '../../syntax/lexing/keywords.js';
import { conversions } from '../../syntax/literals.js';
import { tableAmongValues } from './table-among-values.js';
import { apply, isRandom, acceptsCount } from './calls.js';
import { fit, single } from '../values/coerce.js';
import type { Scope } from '../context.js';
import { bindScalar } from '../context.js';
import { firstCell } from '../first-cell.js';
import { storedUnder } from '../names/names.js';
import { typeLabel } from '../values/type-label.js';

interface SpecialForm extends Keyword {
  readonly params: readonly Param[];
  readonly bind: (call: CallExpr, scope: Scope) => Bound;
}

/** Calls that need more than typed arguments: the schema, a type, a pipeline. */
const forms: readonly SpecialForm[] = [
  {
    name: 'column_ifexists',
    syntax: 'column_ifexists("name", otherwise)',
    doc: 'The column of that name, or another value if there is none.',
    params: [param('name', 'string'), param('otherwise', 'any')],
    bind: columnIfExists,
  },
  {
    name: 'cursor_current',
    syntax: 'cursor_current()',
    doc: 'The position of the event, as a cursor to continue reading from.',
    params: [],
    bind: cursorCurrent,
  },
  {
    name: 'ensure_field',
    syntax: 'ensure_field("name", typeof(type))',
    doc: 'The field as that type; null if there is no such field.',
    params: [param('name', 'string'), param('type', 'any')],
    bind: ensureField,
  },
  {
    name: 'extract_json',
    syntax: 'extract_json("$.path", text [, typeof(type)])',
    doc: 'What a path finds in a text of JSON, as a text unless a type is given.',
    params: [param('path', 'string'), param('text', 'string'), param('type', 'any', { optional: true })],
    bind: extractJson,
  },
  {
    name: 'ingestion_time',
    syntax: 'ingestion_time()',
    doc: 'When the event arrived.',
    params: [],
    bind: ingestionTime,
  },
  {
    name: 'iscolumnexists',
    syntax: 'iscolumnexists("name")',
    doc: 'Whether there is a column of that name.',
    params: [param('name', 'string')],
    bind: isColumnExists,
  },
  {
    name: 'pack_all',
    syntax: 'pack_all([ignore_null_empty])',
    doc: 'An object of all columns; with true, without null and empty ones.',
    params: [param('ignore_null_empty', 'bool', { optional: true })],
    bind: packAll,
  },
  {
    name: 'toscalar',
    syntax: 'toscalar(Table | …)',
    doc: 'The first cell of a table, as a value.',
    params: [param('table', 'any')],
    bind: toScalar,
  },
];

export const specialForms: ReadonlyMap<string, SpecialForm> = new Map(forms.map((form) => [form.name, form]));

/** Binds a call of a special form; null and an error if it has too few or too many arguments. */
export function bindSpecial(form: SpecialForm, call: CallExpr, scope: Scope): Bound {
  return acceptsCount({ ...call, name: form.name, overloads: [form] }, scope.query)
    ? form.bind(call, scope)
    : [nullScalar];
}

/** `column_ifexists("name", otherwise)` */
function columnIfExists(call: CallExpr, scope: Scope): Bound {
  const name = fieldNameOf(call, scope);
  return (name && storedUnder(name, scope)) ?? bindScalar(call.args[1]!.value, scope);
}

/** `iscolumnexists("name")` */
function isColumnExists(call: CallExpr, scope: Scope): Bound {
  const name = fieldNameOf(call, scope);
  return [constant('bool', name !== undefined && storedUnder(name, scope) !== undefined)];
}

/**
 * `ensure_field("name", typeof(T))`: the field as that type; null if there is no such field or it
 * cannot have that type.
 */
function ensureField(call: CallExpr, scope: Scope): Bound {
  const name = fieldNameOf(call, scope);
  const type = call.args[1]!.value;
  if (type.kind !== 'typeof') {
    scope.query.report.error('argument_type', type.span, 'the type of ensure_field is written typeof(string)');
    return [nullScalar];
  }
  const value = name && storedUnder(name, scope);
  if (name === undefined || value === undefined) return [constant(type.type, null)];
  const found = fit(value, type.type);
  if (found !== undefined) return [found.scalar];
  const actual = typeLabel(single(value).type);
  scope.query.report.warning('type_mismatch', call.span, `${name.text} is ${actual}, so as ${type.type} it is null`);
  return [constant(type.type, null)];
}

/** When the event arrived. */
function ingestionTime(call: CallExpr, scope: Scope): Bound {
  const field = fieldNamed(scope.schema, '_sysTime');
  if (field !== undefined) return readingsOf(field);
  scope.query.report.warning(
    'missing_column',
    call.span,
    'ingestion_time() needs the column _sysTime, which is gone here',
  );
  return [constant('datetime', null)];
}

/** The position of the event, in the form of the interface's cursors. */
function cursorCurrent(call: CallExpr, scope: Scope): Bound {
  const { rowId } = scope.schema;
  if (rowId === undefined) {
    scope.query.report.warning('missing_column', call.span, 'cursor_current() needs events, which these rows are not');
    return [constant('string', null)];
  }
  const parts = [
    columnOf({ type: 'datetime', id: rowId.time }),
    columnOf({ type: 'long', id: rowId.seq }),
    columnOf({ type: 'long', id: rowId.row }),
  ];
  return [apply('cursor_current', cursorText, parts, scope.query)];
}

const cursorText = defineOverload({
  params: [param('time', 'datetime'), param('seq', 'long'), param('row', 'long')],
  returns: 'string',
  lower: ([time, seq, row]) => rowIdText(time.sql, seq.sql, row.sql),
});

/** `toscalar(T | …)`; an expression is returned as it is. */
function toScalar(call: CallExpr, scope: Scope): Bound {
  const argument = call.args[0]!.value;
  const table = tableAmongValues(argument, scope);
  if (table !== undefined) return [firstCell(table, scope)];
  const value = bindScalar(argument, scope);
  if (!value.some(isRandom)) return value;
  // One value for all rows, which the engine would otherwise choose in each.
  const source = { kind: 'print', columns: [{ value: argument, span: argument.span }], span: argument.span } as const;
  return [firstCell({ kind: 'pipeline', source, operators: [], span: argument.span }, scope)];
}

/** `pack_all()` is `bag_pack(*)`; `pack_all(true)` leaves out null and empty values. */
function packAll({ callee, args: [ignores], span }: CallExpr, scope: Scope): Bound {
  const star: Expr = { kind: 'star', span };
  const all: CallExpr = { kind: 'call', callee: { ...callee, text: 'bag_pack' }, args: [{ value: star }], span };
  const isFull = ignores === undefined || isFalse(single(bindScalar(ignores.value, scope)));
  const bag = bindScalar(all, scope);
  return isFull ? bag : [apply('pack_all', withoutEmpty, [single(bag)], scope.query)];
}

const isFalse = (scalar: Scalar): boolean => scalar.kind === 'constant' && scalar.value === false;

/**
 * `extract_json("$.a[0]", text, typeof(long))` is
 * `tolong(array_extract(parse_json(text), "$.a[0]")[0])`.
 */
function extractJson(call: CallExpr, scope: Scope): Bound {
  const [path, text, type] = call.args.map(({ value }) => value);
  if (type !== undefined && type.kind !== 'typeof') {
    scope.query.report.error('argument_type', type.span, 'the type of extract_json is written typeof(string)');
    return [nullScalar];
  }
  const { callee, span } = call;
  const calls = (name: string, ...args: readonly Expr[]): CallExpr => ({
    kind: 'call',
    callee: { ...callee, text: name },
    args: args.map((value) => ({ value })),
    span,
  });
  const found = calls('array_extract', calls('parse_json', text!), path!);
  const first: Expr = { kind: 'index', object: found, index: { kind: 'literal', type: 'long', value: 0n, span }, span };
  return bindScalar(type?.type === 'dynamic' ? first : calls(conversions[type?.type ?? 'string'], first), scope);
}

function fieldNameOf(call: CallExpr, scope: Scope): Name | undefined {
  const arg = call.args[0]!.value;
  const text = constantText(single(bindScalar(arg, scope)));
  if (text !== undefined) return { text, quoted: true, span: arg.span };
  scope.query.report.error('not_constant', arg.span, `${call.callee.text} needs a field name as a constant text`);
  return undefined;
}
