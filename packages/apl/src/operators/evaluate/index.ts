import { convertTo, converts, fit, single } from '../../bind/values/coerce.js';
import { bindSingle } from '../../bind/context.js';
import type { Scope } from '../../bind/context.js';
import { readerOf } from '../../bind/values/read-text.js';
import type { Plan } from '../../plan/nodes.js';
import { constant } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { fieldNamed, readingsOf } from '../../plan/schema.js';
import type { Field, Schema } from '../../plan/schema.js';
import type { OutputSchema, TypeName } from '../../syntax/ast.js';
import { quoteName } from '../../syntax/names.js';
import { parseExpression } from '../../syntax/parse.js';
import { findNearest } from '../../syntax/hints/suggestions.js';
import { fieldOf, project } from '../columns.js';
import type { BindOperator, OperatorContext } from '../define.js';
import { bindActivityCounts } from './activity-counts.js';
import { bindBagUnpack } from './bag-unpack.js';
import type { BindPlugin } from './define.js';
import { pluginAdvice } from './other-dialect-plugins.js';
import { bindIpv4Lookup } from './ipv4-lookup.js';
import { bindNarrow } from './narrow.js';
import { bindAutocluster } from './patterns/autocluster.js';
import { bindBasket } from './patterns/basket.js';
import { bindDiffpatterns } from './patterns/diffpatterns.js';
import { bindPivot } from './pivot.js';
import { bindPreview } from './preview.js';
import { bindRowsNear } from './rows-near.js';
import { bindSlidingWindow } from './sliding-window.js';

const plugins: ReadonlyMap<string, BindPlugin> = new Map([
  ['activity_counts_metrics', bindActivityCounts],
  ['autocluster', bindAutocluster],
  ['bag_unpack', bindBagUnpack],
  ['basket', bindBasket],
  ['diffpatterns', bindDiffpatterns],
  ['ipv4_lookup', bindIpv4Lookup],
  ['narrow', bindNarrow],
  ['pivot', bindPivot],
  ['preview', bindPreview],
  ['rows_near', bindRowsNear],
  ['sliding_window_counts', bindSlidingWindow],
]);

/**
 * `evaluate plugin(…)`: operators whose columns depend on the data. Every plugin is a file of this
 * folder, listed in the table above.
 */
export const bindEvaluate: BindOperator<'evaluate'> = ({ plugin, args, schema, span }, input, context) => {
  const bind = plugins.get(plugin.text);
  if (bind !== undefined) {
    const plan = bind(args, input, { ...context, span });
    return schema === undefined ? plan : withSchema(plan, schema, input.schema, context);
  }
  const advice = pluginAdvice.get(plugin.text);
  const meant = advice === undefined ? findNearest(plugin.text, new Set(plugins.keys())) : undefined;
  context.query.report.error(
    'unknown_function',
    plugin.span,
    `there is no plugin ${plugin.text}; ${advice ?? `there are ${[...plugins.keys()].join(', ')}`}`,
    meant === undefined ? undefined : { title: `Write ${meant}`, replacement: meant },
  );
  return input;
};

/**
 * Projects the columns that a query declares: existing columns are converted to the declared type,
 * missing ones are null.
 */
function withSchema(plan: Plan, { keeps, columns }: OutputSchema, before: Schema, context: OperatorContext): Plan {
  const scope = context.scalarScope(plan.schema);
  const named = new Set(columns.map(({ name }) => name.text));
  const kept = keeps
    ? plan.schema.fields.filter(({ name }) => !named.has(name) && fieldNamed(before, name) !== undefined)
    : [];
  const typed = columns.map(({ name, type = 'dynamic' }) => {
    const field = fieldNamed(plan.schema, name.text);
    const value = field === undefined ? undefined : (read(field, type, scope) ?? convertible(readingsOf(field), type));
    return fieldOf(name.text, [value ?? constant(type, null)], scope);
  });
  return project(
    plan,
    [...kept, ...typed.map(({ field }) => field)],
    typed.flatMap(({ computed }) => computed),
  );
}

/** Values of other types, also in texts, are read as the conversion function of the type does. */
function read({ name }: Field, type: TypeName, scope: Scope): Scalar | undefined {
  const reader = readerOf(type);
  return reader === undefined ? undefined : bindSingle(parseExpression(`${reader}(${quoteName(name)})`).expr, scope);
}

const convertible = (value: Bound, type: TypeName): Scalar | undefined => {
  const found = fit(value, type)?.scalar ?? single(value);
  return converts(found.type, type) ? convertTo(found, type) : undefined;
};
