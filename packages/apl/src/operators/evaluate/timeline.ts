import { bindScalar, bindSingle } from '../../bind/context.js';
import { single } from '../../bind/values/coerce.js';
import type { Plan } from '../../plan/nodes.js';
import type { Scalar } from '../../plan/scalar.js';
import type { Argument } from '../../syntax/ast.js';
import { quoteName } from '../../syntax/names.js';
import { fieldOf, impliedName, project } from '../columns.js';
import { freeName } from './define.js';
import type { PluginContext } from './define.js';

/** The columns of plugins that count the users of each time: who, when, and the dimensions. */
interface Timeline {
  readonly rows: Plan;
  /** The names of the columns as queries write them. */
  readonly id: string;
  readonly time: string;
  readonly dimensions: readonly string[];
  /** The arguments between the columns: start, end, step and the like. */
  readonly values: Readonly<Record<string, Scalar>>;
}

/**
 * Binds the arguments `id, time, …values, …dimensions` of a plugin over rows with only these
 * columns; reports an error and returns undefined if one is missing.
 * @param values the names of the values, as the operators over the rows read them
 */
export function bindTimeline(
  plugin: string,
  args: readonly Argument[],
  values: readonly string[],
  input: Plan,
  context: PluginContext,
): Timeline | undefined {
  const { query, span } = context;
  const [id, time, ...rest] = args;
  if (id === undefined || time === undefined || rest.length < values.length) {
    const wanted = ['user', '_time', ...values.map((name) => name.slice(1)), '[dimension…]'].join(', ');
    query.report.error('argument_count', span, `${plugin} takes more arguments: ${plugin}(${wanted})`);
    return undefined;
  }
  const scope = context.scalarScope(input.schema);
  const taken = new Set<string>();
  const columns = [id, time, ...rest.slice(values.length)].map(({ name, value }) => {
    const free = freeName(name?.text ?? impliedName(value) ?? 'Column', taken);
    taken.add(free);
    return fieldOf(free, [single(bindScalar(value, scope))], scope);
  });
  const rows = project(
    { ...input, schema: { fields: input.schema.fields } },
    columns.map(({ field }) => field),
    columns.flatMap(({ computed }) => computed),
  );
  const [idName = '', timeName = '', ...dimensions] = columns.map(({ field }) => quoteName(field.name));
  return {
    rows: { ...rows, schema: { fields: rows.schema.fields } },
    id: idName,
    time: timeName,
    dimensions,
    values: Object.fromEntries(
      values.map((name, i) => [name, bindSingle(rest[i]!.value, context.constantScope)] as const),
    ),
  };
}

/** Whether a row begins another group than the row before it, or is the first. */
export const beginsGroup = (columns: readonly string[]): string =>
  ['row_number() == 1', ...columns.map((column) => `${column} != prev(${column})`)].join(' or ');
