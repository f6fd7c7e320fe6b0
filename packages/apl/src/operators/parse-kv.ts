import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { textOf } from '../bind/convert-text.js';
import { bindScalar, bindSingle } from '../bind/context.js';
import { toType } from '../bind/to-type.js';
import { param } from '../functions/define.js';
import type { Overload } from '../functions/define.js';
import { quoteRegex } from '../functions/string/pattern.js';
import { nullOf } from '../lower/values.js';
import type { Computed } from '../plan/nodes.js';
import { constant } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { Field } from '../plan/schema.js';
import { project } from './columns.js';
import type { BindOperator } from './define.js';
import { checkDifferent } from './different-names.js';

/** `parse-kv E as (a, b:long) with (pair_delimiter=";", kv_delimiter="=", quote="'")`: a column for each key, null where it is missing. */
export const bindParseKv: BindOperator<'parse-kv'> = ({ source, keys, options }, input, context) => {
  const { query } = context;
  const scope = context.scalarScope(input.schema);
  const text = textOf(bindScalar(source, scope));
  const given = new Map<string, string>();
  for (const { name, value } of options) {
    const scalar = bindSingle(value, context.scalarScope({ fields: [] }));
    if (!known.has(name.text))
      query.report.error('name', name.span, `parse-kv has no option ${name.text}; there are ${[...known].join(', ')}`);
    else if (scalar.kind === 'constant' && typeof scalar.value === 'string') given.set(name.text, scalar.value);
    else if (name.text !== 'greedy')
      query.report.error('not_constant', value.span, `${name.text} must be a constant text`);
  }
  checkDifferent(
    keys.map(({ name }) => name),
    context,
  );
  const computed: Computed[] = [];
  let fields: readonly Field[] = input.schema.fields;
  for (const { name, type = 'string' } of keys) {
    const regex = keyRegex(name.text, given);
    const found: Scalar = {
      kind: 'call',
      type: 'string',
      name: 'parse-kv',
      overload: extraction,
      args: [text, constant('string', regex)],
    };
    const id = query.fresh(name.text);
    computed.push({ id, expr: toType(found, type, name.span, query) });
    fields = [...fields.filter((field) => field.name !== name.text), { name: name.text, readings: [{ type, id }] }];
  }
  return project(input, fields, computed);
};

const known: ReadonlySet<string> = new Set(['pair_delimiter', 'kv_delimiter', 'quote', 'escape', 'greedy']);

/** The value of a key: up to the next delimiter, or between quotes. */
function keyRegex(key: string, options: ReadonlyMap<string, string>): string {
  const pair = options.get('pair_delimiter') ?? ' ';
  const kv = options.get('kv_delimiter') ?? '=';
  const quote = options.get('quote');
  const spaces = pair.trim() === '' ? '' : '\\s*';
  const start = `(?s)(?:^|${quoteRegex(pair)})${spaces}`;
  const quoted = quote === undefined ? '' : `${quoteRegex(quote[0] ?? '"')}(.*?)${quoteRegex(quote.at(-1) ?? '"')}|`;
  return `${start}${quoteRegex(key)}${quoteRegex(kv)}(?:${quoted}(.*?))(?:${quoteRegex(pair)}|$)`;
}

const extraction: Overload = {
  params: [param('text', 'string'), param('regex', 'string', { constant: true })],
  returns: 'string',
  lower: ([text, regex]) => {
    const groups = call('extractGroups', call('ifNull', text!.sql, literal('')), regex!.sql);
    const value: Expr = call('arrayStringConcat', groups);
    return call('if', call('empty', groups), nullOf('string'), value);
  },
};
