import type { Operator } from '../../syntax/ast.js';
import { callOf } from './functions.js';
import { scalarOf } from './scalar.js';
import { textOf } from './values.js';
import type { Column, Row, Table, Value } from './values.js';

/**
 * `parse-kv text as (a, b:long)` without quotes: the value of the first pair with each key, null
 * where there is none or it is not of the type.
 */
export function keyValuesParsed(table: Table, operator: Operator & { readonly kind: 'parse-kv' }): Table {
  const option = (name: string, otherwise: string): string => {
    const found = operator.options.find((each) => each.name.text === name);
    return found === undefined ? otherwise : String(scalarOf(found.value, []).at([[]], 0));
  };
  const [pair, kv] = [option('pair_delimiter', ' '), option('kv_delimiter', '=')];
  // Blanks around keys and values mean nothing, unless they separate pairs.
  const blanks = [...' \t\r\n\f\v'].filter((blank) => !pair.includes(blank)).join('');
  const bare = (text: string): string =>
    blanks === '' ? text : text.replaceAll(new RegExp(`^[${blanks}]+|[${blanks}]+$`, 'g'), '');
  const source = scalarOf(operator.source, table.columns);
  const added = operator.keys.map(({ name, type = 'string' }): Column => ({ name: name.text, type }));
  const kept = table.columns.map(({ name }) => added.every((column) => column.name !== name));
  const rows = table.rows.map((row, i): Row => {
    const pairs = (textOf(source.at(table.rows, i), source.type) ?? '').split(pair).flatMap((part) => {
      const at = part.indexOf(kv);
      return at < 0 ? [] : [[bare(part.slice(0, at)), bare(part.slice(at + kv.length))] as const];
    });
    const values = added.map(({ name, type }) => convertText(pairs.find(([key]) => key === name)?.[1], type));
    return [...row.filter((_, c) => kept[c]), ...values];
  });
  return { columns: [...table.columns.filter((_, c) => kept[c]), ...added], rows };
}

function convertText(text: string | undefined, type: Column['type']): Value {
  if (text === undefined || type === 'string') return text ?? null;
  return callOf(`to${type}`, [{ type: 'string', at: () => text }]).at([], 0);
}
