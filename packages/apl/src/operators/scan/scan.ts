import { apply } from '../../bind/calls/calls.js';
import { bindSingle } from '../../bind/context.js';
import type { Scope } from '../../bind/context.js';
import { toType } from '../../bind/values/to-type.js';
import { functionNamed } from '../../functions/index.js';
import type { ComputedColumn, Plan } from '../../plan/nodes.js';
import { columnOf, columnsIn, constant, looksAround, partsOf, rewrite } from '../../plan/scalar.js';
import type { ColumnScalar, Scalar } from '../../plan/scalar.js';
import type { Field } from '../../plan/schema.js';
import { maxRows } from '../../passes/limits.js';
import type { Operator, Span, TypeName } from '../../syntax/ast.js';
import { project } from '../columns.js';
import type { BindOperator, OperatorContext } from '../define.js';
import { cellOf, foldedRows } from './fold.js';
import type { KeptColumn, Step } from './fold.js';

type Scan = Extract<Operator, { kind: 'scan' }>;
type DeclaredColumn = ColumnScalar & { readonly type: TypeName; readonly name: string; readonly otherwise: Scalar };

/** The rows are read into one value for each table or partition. */
const MAX_ROWS = 10_000;

/**
 * Binds `scan … with (step a: condition => column = value; …)`. All rows become one array, over
 * which the steps are folded; the resulting array is expanded to rows. It therefore also works in
 * `partition`.
 */
export const bindScan: BindOperator<'scan'> = (operator, input, context): Plan => {
  const { query } = context;
  const { declared, steps, matchId, span } = operator;
  if (isRepeated([...steps, ...declared].map(({ name }) => name.text))) {
    query.report.error('name', span, 'steps and declared columns of scan need different names');
    return input;
  }
  if ((maxRows(input) ?? Number.POSITIVE_INFINITY) > MAX_ROWS)
    query.report.warning('note', span, 'scan looks at the first 10,000 rows; filter them first');
  const own = declared.map(({ name, type, default: otherwise }): DeclaredColumn => {
    const value = otherwise === undefined ? constant(type, null) : bindSingle(otherwise, context.constantScope);
    const id = query.fresh(name.text);
    return {
      kind: 'column',
      type,
      id,
      name: name.text,
      otherwise: toType(value, type, otherwise?.span ?? span, query),
    };
  });
  const row = input.schema.fields.flatMap(({ readings }) => readings).map((reading) => columnOf(reading));
  const kept = keptColumns(operator, input.schema.fields, own, context);
  const bound = bindSteps(operator, { fields: input.schema.fields, own, kept }, context);
  if (bound === undefined) return input;
  const used = columnsIn(bound.steps.flatMap(({ condition, assigned }) => [condition, ...assigned.values()]));
  const number = columnOf({ type: 'long', id: query.fresh('row') });
  const rowNumber = functionNamed('row_number')!.overloads[0]!;
  const limited: Plan = { kind: 'limit', schema: input.schema, input, count: MAX_ROWS };
  const numbered = project(limited, input.schema.fields, [
    { id: number.id, expr: apply('row_number', rowNumber, [], query) },
  ]);
  const overload = foldedRows({
    row: [number, ...row],
    own,
    steps: bound.steps,
    kept: kept.filter(({ id }) => used.has(id)),
    outputColumns: bound.outputColumns.map(({ id }) => id),
  });
  const args = [number, ...row, ...bound.outputColumns.map(({ expr }) => expr)];
  const [rows, element] = [query.fresh('rows'), query.fresh('found')];
  const folded: Plan = {
    kind: 'aggregate',
    schema: { fields: [{ name: rows, readings: [{ type: 'array', id: rows }] }] },
    input: numbered,
    groups: [],
    aggregates: [{ id: rows, call: { name: 'scan', type: 'array', overload, args } }],
  };
  const expanded: Plan = {
    kind: 'expand',
    schema: { fields: [{ name: element, readings: [{ type: 'dynamic', id: element }] }] },
    input: folded,
    arrays: [{ id: element, expr: columnOf({ type: 'array', id: rows }) }],
    bag: false,
  };
  return withCells(
    expanded,
    columnOf({ type: 'dynamic', id: element }),
    input.schema.fields,
    own,
    matchId?.text,
    context,
  );
};

const isRepeated = (names: readonly string[]): boolean => new Set(names).size < names.length;

/** The values that each step stores from its matched row: `step.column`. */
const keptColumns = (
  { steps }: Scan,
  fields: readonly Field[],
  own: readonly DeclaredColumn[],
  { query }: OperatorContext,
): readonly KeptColumn[] =>
  steps.flatMap(({ name }, step) => {
    const stepColumn = (column: string): string => `${name.text}.${column}`;
    const ofRow = fields.flatMap((field) =>
      field.readings.map(({ type, id }): KeptColumn => ({
        step,
        of: id,
        name: stepColumn(field.name),
        type,
        id: query.fresh(stepColumn(field.name)),
        otherwise: constant(type, null),
      })),
    );
    const ofOwn = own.map(({ name: column, type, id, otherwise }): KeptColumn => ({
      step,
      of: id,
      name: stepColumn(column),
      type,
      id: query.fresh(stepColumn(column)),
      otherwise,
    }));
    return [...ofRow, ...ofOwn];
  });

interface ScanColumns {
  readonly fields: readonly Field[];
  readonly own: readonly DeclaredColumn[];
  readonly kept: readonly KeptColumn[];
}

/**
 * The conditions and values of the steps, including values looked up in other tables; undefined
 * after reporting an invalid one.
 */
function bindSteps(
  { steps }: Scan,
  { fields, own, kept }: ScanColumns,
  context: OperatorContext,
): { readonly steps: readonly Step[]; readonly outputColumns: readonly ComputedColumn[] } | undefined {
  const { query } = context;
  const outputColumns: ComputedColumn[] = [];
  let isFine = true;
  const check = (scalar: Scalar, at: Span): Scalar => {
    if (looksAround(scalar) || asksRows(scalar)) {
      query.report.error(
        'unsupported',
        at,
        'steps of scan see their row and what earlier steps found, but no other rows or tables',
      );
      isFine = false;
    }
    return rewrite(scalar, (part) => {
      if (part.kind !== 'scalarPlan') return part;
      const id = query.fresh('looked_up');
      outputColumns.push({ id, expr: part });
      return columnOf({ type: part.type, id });
    });
  };
  const bound = steps.map((step, at): Step => {
    const scope: Scope = context.scalarScope({
      fields: [...fields, ...own.map(fieldOfOwn), ...rememberFields(kept, at)],
    });
    const condition = toType(bindSingle(step.condition, scope), 'bool', step.condition.span, query);
    const assigned = new Map(
      step.assigned.flatMap(({ name, value, span }) => {
        const column = own.find((each) => each.name === name?.text);
        if (column !== undefined)
          return [[column.id, check(toType(bindSingle(value, scope), column.type, value.span, query), span)] as const];
        const message = `a step gives values to declared columns: declare (${name?.text ?? 'a'}: long), then ${name?.text ?? 'a'} = …`;
        query.report.error('name', span, message);
        isFine = false;
        return [];
      }),
    );
    return { output: step.output, condition: check(condition, step.condition.span), assigned };
  });
  return isFine ? { steps: bound, outputColumns: outputColumns } : undefined;
}

const asksRows = (scalar: Scalar): boolean => scalar.kind === 'inPlan' || partsOf(scalar).some(asksRows);

const fieldOfOwn = ({ name, type, id }: DeclaredColumn): Field => ({ name, readings: [{ type, id }] });

/** The stored values of steps up to one, as fields. */
function rememberFields(kept: readonly KeptColumn[], upTo: number): readonly Field[] {
  const readings = new Map<string, KeptColumn[]>();
  for (const one of kept) if (one.step <= upTo) readings.set(one.name, [...(readings.get(one.name) ?? []), one]);
  return [...readings].map(([name, all]) => ({ name, readings: all as unknown as Field['readings'] }));
}

/** The columns of the rows that were found, read from the element of each. */
function withCells(
  plan: Plan,
  element: Scalar,
  fields: readonly Field[],
  own: readonly DeclaredColumn[],
  matchId: string | undefined,
  { query }: OperatorContext,
): Plan {
  const computed: ComputedColumn[] = [];
  let place = 1;
  const read = (name: string, type: ColumnScalar['type']): ColumnScalar => {
    const id = query.fresh(name);
    computed.push({ id, expr: apply('scan', cellOf(type, ++place), [element], query) });
    return columnOf({ type, id });
  };
  const number = matchId === undefined ? [] : [{ name: matchId, readings: [read(matchId, 'long')] as const }];
  if (matchId === undefined) place++;
  const before = fields.map((field): Field => {
    const readings = field.readings.map(({ type }) => read(field.name, type));
    return { ...field, readings: readings as unknown as Field['readings'] };
  });
  const after = own.map(({ name, type }): Field => ({ name, readings: [read(name, type)] }));
  const hidden = new Set([...number, ...after].map(({ name }) => name));
  return project(plan, [...before.filter(({ name }) => !hidden.has(name)), ...after, ...number], computed);
}
