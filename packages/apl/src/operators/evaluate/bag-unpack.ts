import { bindScalar } from '../../bind/context.js';
import { convertTo, single } from '../../bind/values/coerce.js';
import { spelledName } from '../../bind/names/spelled-name.js';
import { isMemberOf, isObject } from '../../bind/names/objects.js';
import { placedArguments } from '../../bind/calls/placed-arguments.js';
import type { Scope } from '../../bind/context.js';
import type { LookupResult } from '../../compiled-query.js';
import type { ComputedColumn, Plan } from '../../plan/nodes.js';
import { constantText } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { fieldNamed } from '../../plan/schema.js';
import type { Field, Schema } from '../../plan/schema.js';
import type { Argument, Expr, Span } from '../../syntax/ast.js';
import { typeNameOf } from '../../model/result-types.js';
import { isDynamic } from '../../model/types.js';
import { fieldOf, project } from '../columns.js';
import { EMPTY, freeName, tooMany } from './define.js';
import type { BindPlugin, PluginContext } from './define.js';
import { bindOperators } from './over.js';

/** How to resolve a key with the name of a column. */
const conflicts = ['error', 'keep_source', 'replace_source'] as const;
type Conflict = (typeof conflicts)[number];

/**
 * `bag_unpack(column [, prefix [, conflict [, ignored]]])`: replaces `column` by a column for each
 * key of its objects, ordered by name. A column has the type that all its values share, or dynamic
 * if they differ. An existing column of the same name is an error, unless `keep_source` or
 * `replace_source` says which one stays.
 */
export const bindBagUnpack: BindPlugin = (args, input, context): Plan => {
  const { query, span } = context;
  const [of, ...options] = args;
  if (of === undefined || of.value.kind === 'star') {
    query.report.error('argument_count', span, 'bag_unpack needs a column of objects, as in bag_unpack(attributes)');
    return input;
  }
  const scope = context.scalarScope(input.schema);
  const bag = single(bindScalar(of.value, scope));
  if (!isDynamic(bag.type)) {
    const type = typeNameOf([bag.type]);
    query.report.error('argument_type', of.value.span, `bag_unpack needs a column of objects, but this is ${type}`);
    return input;
  }
  const settings = bindOptions(options, scope, context);
  if (settings === undefined) return input;
  const { field, computed } = fieldOf('bag', [bag], scope);
  const bags = project(input, input.schema.fields, computed);
  const found = query.ask(() => bindOperators({ ...bags, schema: { fields: [field] } }, keysOfBags, context));
  if (found === undefined) return input;
  const keys = found.filter(([key = '']) => !settings.ignored.has(key));
  if (keys.length > query.maxDataColumns) {
    tooMany('bag_unpack', 'the keys', context);
    return input;
  }
  const replaced = sourceOf(of.value, bag, scope);
  const object = objectOf(of.value, input.schema);
  const others = input.schema.fields.filter(
    (other) => other !== replaced && (object === undefined || (other.name !== object && !isMemberOf(object, other))),
  );
  return unpackBag(bags, others, { field, keys, ...settings }, { ...context, span: of.value.span });
};

/**
 * A row for each key: its name and the types of its values. Integers beyond 64 bits have the type
 * `wide`, so they stay dynamic.
 */
const keysOfBags =
  'where ismap(bag) | mv-expand kind=array pair = bag | project key = tostring(pair[0]), value = pair[1] ' +
  '| extend type = gettype(value) | extend type = iff(type == "long" and isnull(tolong(value)), "wide", type) ' +
  '| summarize types = strcat_array(make_set(type), " ") by key | sort by key asc';

/**
 * The field that was unpacked; of several copies of it, the one that the query names. Undefined for
 * a value that is not a field.
 */
function sourceOf(expr: Expr, bag: Scalar, scope: Scope): Field | undefined {
  if (bag.kind !== 'column') return undefined;
  const same = scope.schema.fields.filter((field) => field.readings.some(({ id }) => id === bag.id));
  // Of the calls that give a column, as column_ifexists("c", …) does, each names it in a text.
  const text = expr.kind === 'call' ? expr.args[0]?.value : undefined;
  const name = text === undefined ? spelledName(expr) : constantText(single(bindScalar(text, scope)));
  return same.find((field) => field.name === name) ?? same[0];
}

/** The name of the object of events that was unpacked, whose members are columns already. */
function objectOf(expr: Expr, schema: Schema): string | undefined {
  const inner = expr.kind === 'call' && jsonParsers.has(expr.callee.text) ? expr.args[0]?.value : expr;
  const name = inner && spelledName(inner);
  return name !== undefined && isObject(name, schema) ? name : undefined;
}

const jsonParsers: ReadonlySet<string> = new Set(['parse_json', 'todynamic']);

interface Settings {
  readonly prefix: string;
  readonly conflict: Conflict;
  readonly ignored: ReadonlySet<string>;
}

/** The arguments after the column, in order; each may be given by name instead. */
const optionNames = ['OutputColumnPrefix', 'columnsConflict', 'ignoredProperties'] as const;

/**
 * Binds the arguments after the column, all constant; reports an error and returns undefined if one
 * is invalid.
 */
function bindOptions(args: readonly Argument[], scope: Scope, context: PluginContext): Settings | undefined {
  const { query, span } = context;
  if (args.length > optionNames.length) {
    query.report.error('argument_count', span, 'bag_unpack takes at most 4 arguments');
    return undefined;
  }
  const options = placedArguments('bag_unpack', args, optionNames, query.report);
  if (options === undefined) return undefined;
  const [prefix, conflict, ignored] = options.map((value) => value && single(bindScalar(value, scope)));
  if (prefix !== undefined && constantText(prefix) === undefined)
    query.report.error('not_constant', options[0]!.span, 'the prefix of bag_unpack must be a constant text');
  else if (conflict !== undefined && !isConflict(constantText(conflict)))
    query.report.error(
      'argument_type',
      options[1]!.span,
      `on a conflict bag_unpack knows ${conflicts.map((one) => `"${one}"`).join(', ')}`,
    );
  else if (ignored !== undefined && namesOf(ignored) === undefined)
    query.report.error(
      'not_constant',
      options[2]!.span,
      'the keys that bag_unpack ignores must be a constant array of texts, as in dynamic(["a", "b"])',
    );
  else {
    const kept = conflict === undefined ? undefined : constantText(conflict);
    return {
      prefix: (prefix && constantText(prefix)) ?? '',
      conflict: isConflict(kept) ? kept : 'error',
      ignored: new Set(ignored && namesOf(ignored)),
    };
  }
  return undefined;
}

const isConflict = (text: string | undefined): text is Conflict => conflicts.some((conflict) => conflict === text);

function namesOf(scalar: Scalar): readonly string[] | undefined {
  const text = scalar.type === 'array' || scalar.type === 'dynamic' ? constantText(scalar) : undefined;
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : undefined;
}

/** The existing columns, followed by those of the keys. */
function unpackBag(
  input: Plan,
  source: readonly Field[],
  { field, keys, prefix, conflict }: Settings & { readonly field: Field; readonly keys: LookupResult },
  { query, span, scalarScope }: PluginContext,
): Plan {
  const scope = scalarScope({ fields: [field] });
  const computed: ComputedColumn[] = [];
  const added: Field[] = [];
  const taken = new Set<string>();
  for (const [key = '', types = ''] of keys) {
    const name = freeName(`${prefix}${key}` || EMPTY, taken);
    const clashes = fieldNamed({ fields: source }, name) !== undefined;
    if (clashes && conflict === 'keep_source') continue;
    if (clashes && conflict === 'error') {
      query.report.error(
        'name',
        span,
        `there is a column ${name} already; give the keys a prefix, as in bag_unpack(bag, "bag_"), or say "keep_source" or "replace_source"`,
      );
      continue;
    }
    taken.add(name);
    const column = fieldOf(name, valueOf(key, types.split(' '), span, scope), scope);
    added.push(column.field);
    computed.push(...column.computed);
  }
  const kept = source.filter(({ name }) => !taken.has(name));
  return project(input, [...kept, ...added], computed);
}

/** The value of a key, in the type that all its values share. */
function valueOf(key: string, types: readonly string[], span: Span, scope: Scope): Bound {
  const name = { text: 'bag', quoted: true, span };
  const value: Expr = {
    kind: 'index',
    object: { kind: 'name', name, span },
    index: { kind: 'literal', type: 'string', value: key, span },
    span,
  };
  const bound = bindScalar(value, scope);
  const given = new Set(types.filter((type) => type !== 'null'));
  const isNumber = given.has('real') && [...given].every((type) => type === 'real' || type === 'long');
  const [only] = given;
  const type = isNumber ? 'real' : given.size === 1 ? columnTypes.find((known) => known === only) : undefined;
  return type === undefined ? bound : [convertTo(single(bound), type)];
}

/** The types that a key's column may have in addition to dynamic, as `gettype` names them. */
const columnTypes = ['bool', 'long', 'real', 'string'] as const;
