import { emptyPlan } from '../../plan/empty-plan.js';
import type { Plan, UnionPlan } from '../../plan/nodes.js';
import { columnOf, constant } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import { namesOfAny } from '../rare-fields.js';
import type { Field, RestColumns, RowId } from '../../plan/schema.js';
import { isObject } from '../../bind/names/objects.js';
import { consume } from '../../model/compile-budget.js';
import { isDynamic } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import { project } from '../columns.js';
import { withObjects } from '../objects.js';
import type { OperatorContext } from '../define.js';

export interface UnionPart {
  /** The value of the `withsource` column in its rows. */
  readonly name: string;
  readonly plan: Plan;
}

/** The union of pipelines; a single one is returned unchanged unless its name is requested. */
export function unionOf(parts: readonly UnionPart[], context: OperatorContext, withSource?: string): Plan {
  const [only, ...others] = parts;
  if (only === undefined) return emptyPlan;
  if (others.length === 0 && withSource === undefined) return only.plan;
  const plans = withWholeObjects(
    parts.map((part) => part.plan),
    context,
  );
  const columns: UnionPlan['columns'][number][] = [];
  const add = (name: string, type: ScalarType, from: readonly (Scalar | undefined)[]): string => {
    const id = context.query.fresh(name);
    columns.push({ id, type, from });
    return id;
  };
  const fields: Field[] = [];
  if (withSource !== undefined) {
    const id = add(
      withSource,
      'string',
      parts.map((part) => constant('string', part.name)),
    );
    fields.push({ name: withSource, readings: [{ type: 'string', id }] });
  }
  const events = context.query.fresh('events');
  // The first of equal names. Unions have up to 1,000 tables of hundreds of columns.
  const byNames = plans.map(({ schema }) => new Map(schema.fields.toReversed().map((field) => [field.name, field])));
  for (const name of namesOf(plans)) {
    if (name === withSource) continue;
    consume(plans.length / 50);
    const sources = byNames.map((fieldsOfOne) => fieldsOfOne.get(name));
    const types = [...new Set(sources.flatMap((field) => field?.readings.map((reading) => reading.type) ?? []))];
    const readings = types.map((type) => {
      const from = sources.map((field): Scalar | undefined => {
        const reading = field?.readings.find((r) => r.type === type);
        return reading && columnOf(reading);
      });
      return { type, id: add(name, type, from) };
    });
    const areOfEvents = sources.every((field) => field === undefined || field.events !== undefined);
    fields.push({ name, readings, ...(areOfEvents && { events }) });
  }
  const ids = plans.map((plan) => plan.schema.rowId);
  const complete = ids.every((id) => id !== undefined);
  const part = (key: keyof RowId, type: ScalarType): string =>
    add(
      `row ${key}`,
      type,
      ids.map((id) => id && columnOf({ type, id: id[key] })),
    );
  const rowId = complete
    ? {
        sysTime: part('sysTime', 'datetime'),
        time: part('time', 'datetime'),
        seq: part('seq', 'long'),
        row: part('row', 'long'),
      }
    : undefined;
  const rests = plans.map((plan) => plan.schema.rest);
  const [some, ...more] = rests.flatMap((rest) => rest?.names ?? []);
  const restPart = (key: 'bag' | 'text', type: ScalarType): string =>
    add(
      `rest ${key}`,
      type,
      rests.map((rest) => rest && columnOf({ type, id: rest[key] })),
    );
  const rest: RestColumns | undefined = some && {
    bag: restPart('bag', 'bag'),
    text: restPart('text', 'string'),
    names: namesOfAny(some, more),
  };
  const schema = {
    fields,
    ...(rowId === undefined ? {} : { rowId }),
    ...(rest === undefined ? {} : { rest }),
  };
  return { kind: 'union', schema, inputs: plans, columns };
}

/**
 * If a query defines a column of objects in one table, the other tables get such a column from
 * their members of that name.
 */
function withWholeObjects(plans: readonly Plan[], context: OperatorContext): readonly Plan[] {
  const made = new Set(plans.flatMap(({ schema }) => schema.fields.filter(isMadeObject).map(({ name }) => name)));
  if (made.size === 0) return plans;
  return plans.map((plan) => {
    const names = [...made].filter((name) => isObject(name, plan.schema));
    if (names.length === 0) return plan;
    const all = new Map(names.map((name) => [name, name]));
    const { fields, computed } = withObjects(all, context.scalarScope(plan.schema), () => true);
    return project(plan, fields, computed);
  });
}

const isMadeObject = ({ events, readings }: Field): boolean =>
  events === undefined && readings.some(({ type }) => isDynamic(type));

/**
 * The names of all columns, those of each table in its order. A dataset lists its columns by name,
 * so a union of datasets does too, as long as no table has another order, such as that of
 * `project`.
 */
function namesOf(plans: readonly Plan[]): readonly string[] {
  const tables = plans.map(({ schema }) => schema.fields.map((field) => field.name));
  const names = [...new Set(tables.flat())];
  const areEvents = plans.every(({ schema }) => schema.rowId !== undefined);
  return areEvents && tables.every((table) => byName(table).every((name, i) => name === table[i]))
    ? byName(names)
    : names;
}

/** Names in the order in which datasets list them. */
function byName(names: readonly string[]): readonly string[] {
  const first = ['_sysTime', '_time'].filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name)).toSorted()];
}
