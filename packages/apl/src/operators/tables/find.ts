import { isEmptyPlan } from '../../plan/empty-plan.js';
import type { BindOperator } from '../define.js';
import { bindProject } from '../project.js';
import { bindSearched } from '../search.js';
import { tablesNamed } from '../sources/named-table.js';
import { unionOf } from './union-of.js';

/**
 * `find in (a, b*) where P project x, y`: rows of all the datasets, with the name of each; without
 * `in`, of all datasets.
 */
export const bindFind: BindOperator<'find'> = (operator, input, context) => {
  const { withSource, within, predicate, columns, span } = operator;
  const { report, catalog } = context.query;
  if (!isEmptyPlan(input)) {
    const message = 'find stands at the beginning; after another operator or a dataset, write where';
    report.error('syntax', span, message);
    return input;
  }
  if (within === undefined && catalog.names.length === 0) {
    report.error('syntax', span, 'find needs a dataset: find in (logs*) where …');
    return input;
  }
  const tables = tablesNamed(within?.datasets ?? [{ text: '*', wildcard: true, span }], context);
  const source = withSource?.text ?? 'source_';
  const rows = unionOf(tables, context, source);
  const found = {
    kind: 'filter',
    schema: rows.schema,
    input: rows,
    predicate: bindSearched(predicate, false, context.scalarScope(rows.schema)),
  } as const;
  if (columns === undefined) return found;
  const name = { text: source, quoted: true, span };
  return bindProject(
    { kind: 'project', columns: [{ value: { kind: 'name', name, span }, span }, ...columns], span },
    found,
    context,
  );
};
