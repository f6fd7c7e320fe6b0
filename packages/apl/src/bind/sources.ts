import { bindDatatable } from '../operators/sources/datatable.js';
import { bindExternal } from '../operators/sources/external.js';
import { bindPrint } from '../operators/sources/print.js';
import { bindRange } from '../operators/sources/range.js';
import { bindTables } from '../operators/sources/named-table.js';
import type { OperatorContext } from '../operators/define.js';
import type { Plan } from '../plan/nodes.js';
import { emptyPlan } from '../plan/empty-plan.js';
import { constantText } from '../plan/scalar.js';
import type { Span, TableSource } from '../syntax/ast.js';
import { bindSingle } from './context.js';
import { bindParameters } from './calls/user-function.js';

/** Binds a call of a function from `let` that returns a table. */
function bindTableCall(source: Extract<TableSource, { kind: 'call' }>, context: OperatorContext): Plan {
  const { text: name, span } = source.callee;
  const { query } = context;
  const own = context.lets.get(name);
  if (own?.kind !== 'function' || own.body.kind !== 'pipeline') {
    query.report.error('unknown_function', span, `there is no function ${name} that gives a table; define it with let`);
    return emptyPlan;
  }
  const { body } = own;
  const lets = bindParameters(own, source, context.constantScope);
  if (lets === undefined) return emptyPlan;
  return query.withinDepth(`function ${name}`, span, () => context.bindPipeline(body, lets)) ?? emptyPlan;
}

/** Binds the source of a pipeline. */
export function bindSource(source: TableSource, context: OperatorContext): Plan {
  const { report } = context.query;
  const reads = (span: Span): boolean => context.query.reads(span);
  switch (source.kind) {
    case 'table':
      return bindTables([source.pattern], context);
    case 'call':
      return bindTableCall(source, context);
    case 'tableOf': {
      const text = constantText(bindSingle(source.name, context.constantScope));
      if (text !== undefined) return bindTables([{ text, wildcard: false, span: source.span }], context);
      report.error('not_constant', source.name.span, 'table() needs the name of a dataset as a constant text');
      return emptyPlan;
    }
    case 'print':
      return reads(source.span) ? bindPrint(source, context) : emptyPlan;
    case 'range':
      return reads(source.span) ? bindRange(source, context) : emptyPlan;
    case 'datatable':
      return reads(source.span) ? bindDatatable(source, context) : emptyPlan;
    case 'externaldata':
      return reads(source.span) ? bindExternal(source, context) : emptyPlan;
    case 'nested':
      return context.bindPipeline(source.query);
    case 'none':
    case 'error':
      return emptyPlan;
  }
}
