import { bindScalar } from '../../bind/context.js';
import { single } from '../../bind/values/coerce.js';
import { asTable } from '../../bind/as-table.js';
import { constantText } from '../../plan/scalar.js';
import type { Plan } from '../../plan/nodes.js';
import type { Argument, Expr } from '../../syntax/ast.js';
import { quoteName } from '../../syntax/names.js';
import { fieldOf, impliedName, project } from '../columns.js';
import type { OperatorContext } from '../define.js';
import type { BindPlugin } from './define.js';
import { bindOperators } from './over.js';

const NETWORKS = '$networks';
const helpers = ['address', 'network', 'bits', 'key', 'row', 'found'].map((name) => `$${name}`);
const [address, network, bits, key, row, found] = helpers.map(quoteName);

/**
 * An address is in a network if the address cut to its length is the network: one key for each
 * length.
 */
const keyOf = (value: string): string => `${key} = parse_ipv4_mask(${value}, ${bits}) * 64 + ${bits}`;

/**
 * `ipv4_lookup(Table, address, network [, key, …] [, return_unmatched = true])`: the rows with the
 * columns of each row of the table whose network contains the address. Keys are columns of both
 * that must be equal. Each row is looked up once per prefix length, in a table of networks: so the
 * time does not grow with the product of the rows.
 */
export const bindIpv4Lookup: BindPlugin = (args, input, context): Plan => {
  const { query, span, lets } = context;
  const named = args.find(({ name }) => name !== undefined);
  const [of, source, into, ...rest] = args.filter((arg) => arg !== named);
  const table = of === undefined ? undefined : asTable(of.value, lets, () => true);
  if (table === undefined || source === undefined || into === undefined) {
    const message =
      'ipv4_lookup takes a table, an address and the column of networks: ipv4_lookup(Networks, ip, network)';
    query.report.error('argument_count', span, message);
    return input;
  }
  const last = rest.at(-1);
  const flag = named ?? (last?.value.kind === 'literal' ? last : undefined);
  const keys = rest.filter((arg) => arg !== flag).flatMap(({ value }) => impliedName(value) ?? []);
  const right = withColumn(context.bindPipeline(table, lets), into.value, '$network', context);
  const left = withColumn(input, source.value, '$address', context);
  const all = flag !== undefined && isTrue(flag, context);
  const kind = all ? 'leftouter' : 'inner';
  const on = [key, ...keys.map(quoteName)].join(', ');
  const operators = [
    ...(all ? [`extend ${row} = row_number()`] : []),
    `mv-expand ${bits} = range(0, 32) to typeof(long)`,
    `extend ${keyOf(address!)}`,
    `join kind=${kind} (['${NETWORKS}'] | extend ${bits} = ipv4_netmask_suffix(${network}) | extend ${keyOf(network!)} | project-away ${bits}) on ${on}`,
    ...(all
      ? [
          `sort by ${row} asc, ${bits} desc`,
          `extend ${found} = row_cumsum(toint(isnotnull(${network})), ${bits} == 32)`,
          `where isnotnull(${network}) or (${bits} == 0 and ${found} == 0)`,
        ]
      : []),
  ];
  const joined = bindOperators(left, operators.join(' | '), context, { [NETWORKS]: right });
  const added = new Set([...helpers, ...['$key', ...keys].map((name) => `${name}1`)]);
  const fields = joined.schema.fields.filter(({ name }) => !added.has(name));
  return project(joined, fields, []);
};

/** The rows with one column more, a text. */
function withColumn(plan: Plan, expr: Expr, name: string, context: OperatorContext): Plan {
  const scope = context.scalarScope(plan.schema);
  const { field, computed } = fieldOf(name, bindScalar(expr, scope), scope);
  return project(plan, [...plan.schema.fields, field], computed);
}

function isTrue({ value }: Argument, { query, constantScope }: OperatorContext): boolean {
  const scalar = single(bindScalar(value, constantScope));
  if (scalar.kind === 'constant' && typeof scalar.value === 'boolean') return scalar.value;
  const message = `return_unmatched is true or false${constantText(scalar) === undefined ? '' : ', without quotes'}`;
  query.report.error('argument_type', value.span, message);
  return false;
}
