import type { Plan } from '../../plan/nodes.js';
import { isEmptyPlan } from '../../plan/empty-plan.js';
import { fieldNamed, withoutRest } from '../../plan/schema.js';
import type { Tabular } from '../../syntax/ast.js';
import type { BindOperator, OperatorContext } from '../define.js';
import { tablesNamed } from '../sources/named-table.js';
import { unionOf } from './union-of.js';
import type { UnionPart } from './union-of.js';

/**
 * `union [withsource=S] T, …`: the rows of all tables, columns matched by name, null where a table
 * does not have one; with `kind=inner` only the common columns.
 */
export const bindUnion: BindOperator<'union'> = ({ tables, withSource, inner }, input, context) => {
  const first = isEmptyPlan(input) ? [] : [{ name: context.nameOf(input) ?? sourceName(input), plan: input }];
  const parts = tables.flatMap((table): readonly UnionPart[] => partsOf(table, context));
  const all = [...first, ...parts];
  if (withSource !== undefined && all.some(({ plan }) => fieldNamed(plan.schema, withSource.text) !== undefined)) {
    const taken = `the names of the datasets take the place of the column ${withSource.text}; give them another name`;
    context.query.report.warning('name', withSource.span, taken);
  }
  const union = unionOf(all, context, withSource?.text);
  if (inner !== true) return union;
  const common = union.schema.fields.filter(
    ({ name }) => name === withSource?.text || all.every(({ plan }) => fieldNamed(plan.schema, name) !== undefined),
  );
  return { kind: 'project', schema: withoutRest({ ...union.schema, fields: common }), input: union, computed: [] };
};

/** A wildcard, quoted or not, gives a part for each dataset, so that `withsource` can name each. */
function partsOf(table: Tabular, context: OperatorContext): readonly UnionPart[] {
  const { source, operators } = table;
  if (operators.length === 0 && source.kind === 'table') return tablesNamed([source.pattern], context);
  const plan = context.bindPipeline(table);
  const last = operators.findLast(({ kind }) => kind !== 'render');
  return [{ name: last?.kind === 'as' ? last.name.text : sourceName(plan), plan }];
}

/** The dataset a pipeline begins with. */
function sourceName(plan: Plan): string {
  switch (plan.kind) {
    case 'scan':
      return plan.dataset;
    case 'rows':
      return '';
    case 'external':
      return plan.address;
    case 'union':
      return plan.inputs[0] === undefined ? '' : sourceName(plan.inputs[0]);
    case 'join':
      return sourceName(plan.left);
    default:
      return sourceName(plan.input);
  }
}
