import { textOf } from '../../bind/values/convert-text.js';
import { bindScalar, bindSingle } from '../../bind/context.js';
import { toType } from '../../bind/values/to-type.js';
import type { ComputedColumn } from '../../plan/nodes.js';
import { callOf, columnOf } from '../../plan/scalar.js';
import type { Field } from '../../plan/schema.js';
import { project } from '../columns.js';
import type { BindOperator, OperatorContext, OperatorOf } from '../define.js';
import { checkDifferent } from '../different-names.js';
import { delimiterOf, usualKv, usualPair, valueOfKey } from './key-values.js';
import type { KeyValueForm } from './key-values.js';

/**
 * `parse-kv E as (a, b:long) with (pair_delimiter=";", kv_delimiter="=", quote="'")`: a column for
 * each key, null where it is missing.
 */
export const bindParseKv: BindOperator<'parse-kv'> = (operator, input, context) => {
  const { source, keys } = operator;
  const { query } = context;
  const scope = context.scalarScope(input.schema);
  const given = textOf(bindScalar(source, scope));
  const form = formOf(operator, context);
  if (form === undefined) return input;
  // Computed separately, because the SQL of each value repeats it several times.
  const id = query.fresh('pairs');
  const text = columnOf({ type: 'string', id });
  const pairs: Field = { name: id, readings: [{ type: 'string', id }] };
  const read = project(input, [...input.schema.fields, pairs], [{ id, expr: given }]);
  checkDifferent(
    keys.map(({ name }) => name),
    context,
  );
  const names = keys.map(({ name }) => name.text);
  const computed: ComputedColumn[] = [];
  let fields: readonly Field[] = input.schema.fields;
  for (const { name, type = 'string' } of keys) {
    const found = callOf('parse-kv', valueOfKey(name.text, names, form), [text]);
    const id = query.fresh(name.text);
    computed.push({ id, expr: toType(found, type, name.span, query) });
    fields = [...fields.filter((field) => field.name !== name.text), { name: name.text, readings: [{ type, id }] }];
  }
  return project(read, fields, computed);
};

const optionNames = ['pair_delimiter', 'kv_delimiter', 'quote', 'escape', 'greedy'] as const;

/**
 * The syntax that the options describe; undefined after reporting a mistake. Quotes and escapes may
 * be given several times.
 */
function formOf({ options }: OperatorOf<'parse-kv'>, context: OperatorContext): KeyValueForm | undefined {
  const { report } = context.query;
  const quotes: (readonly [string, string])[] = [];
  const escapes: string[] = [];
  let [pair, kv, greedy]: [string | undefined, string | undefined, boolean] = [undefined, undefined, false];
  for (const { name, value } of options) {
    const option = optionNames.find((each) => each === name.text);
    if (option === undefined) {
      report.error('name', name.span, `parse-kv has no option ${name.text}; there are ${optionNames.join(', ')}`);
      return undefined;
    }
    const scalar = bindSingle(value, context.constantScope);
    const given = scalar.kind === 'constant' ? scalar.value : undefined;
    const characters = typeof given === 'string' ? [...given] : [];
    const [first, last = first, ...more] = characters;
    const wanted = wantedOf[option];
    if (option === 'greedy' && typeof given === 'boolean') greedy = given;
    else if (option === 'pair_delimiter' && first !== undefined) pair = characters.join('');
    else if (option === 'kv_delimiter' && first !== undefined) kv = characters.join('');
    else if (option === 'quote' && last !== undefined && more.length === 0) quotes.push([first!, last]);
    else if (option === 'escape' && first !== undefined && characters.length === 1) escapes.push(first);
    else {
      const code = scalar.kind === 'constant' ? 'argument_type' : 'not_constant';
      report.error(code, value.span, `${option} must be ${wanted}`);
      return undefined;
    }
  }
  const escape = options.find(({ name }) => name.text === 'escape');
  if (escape === undefined || quotes.length > 0) {
    const isOpen = pair === undefined && kv === undefined;
    return {
      pair: isOpen ? usualPair : delimiterOf(pair ?? ' '),
      kv: isOpen ? usualKv : delimiterOf(kv ?? '='),
      quotes,
      escapes,
      greedy,
    };
  }
  report.error(
    'argument_type',
    escape.name.span,
    'escape works in quoted values only, so parse-kv needs quote as well',
  );
  return undefined;
}

const wantedOf: Readonly<Record<(typeof optionNames)[number], string>> = {
  pair_delimiter: 'a constant text that is not empty',
  kv_delimiter: 'a constant text that is not empty',
  quote: 'a constant text of one or two characters: the opening and the closing quote',
  escape: 'a constant text of one character',
  greedy: 'true or false',
};
