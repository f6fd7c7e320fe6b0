import type { Operator } from '../../syntax/ast.js';
import { callOf } from './functions.js';
import { scalarOf } from './scalar.js';
import { textOf } from './values.js';
import type { Column, Row, Table, Value } from './values.js';

/**
 * `parse text with "a" x "b" y`: the parts between the given texts, each as short as possible; null
 * if a text is missing. A part that does not have its type makes all of them null; with the kind
 * relaxed only itself. With the kind regex the texts are regular expressions, and match anywhere.
 */
export function parseColumns(table: Table, operator: Operator & { readonly kind: 'parse' }): Table {
  const { mode } = operator;
  const source = scalarOf(operator.source, table.columns);
  const captures = operator.pattern.flatMap((segment) => (segment.kind === 'capture' ? [segment] : []));
  const last = operator.pattern.at(-1);
  const pattern = operator.pattern.map((segment) => {
    if (segment.kind === 'text')
      return mode === 'regex' ? `(?:${segment.text})` : segment.text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
    const group = segment.kind === 'capture' ? '(.*?)' : '.*?';
    return segment === last ? group.replace('?', '') : group;
  });
  const end = last?.kind === 'text' || mode === 'regex' ? '' : '$';
  const regex = new RegExp(`${mode === 'regex' ? '' : '^'}${pattern.join('')}${end}`, mode === 'regex' ? 'u' : 'su');
  const added = captures.map(({ name, type }): Column => ({ name: name.text, type }));
  const replaced = new Set(added.map(({ name }) => name));
  const kept = table.columns.map(({ name }) => !replaced.has(name));
  const rows = table.rows.flatMap((row, i): readonly Row[] => {
    const match = regex.exec(textOf(source.at(table.rows, i), source.type) ?? '');
    const values = added.map(({ type }, k): Value => convertText(match?.[k + 1], type));
    const fits = match !== null && (mode === 'relaxed' || !values.includes(null));
    if (!fits && operator.filter) return [];
    return [[...row.filter((_, c) => kept[c]), ...values.map((value) => (fits ? value : null))]];
  });
  return { columns: [...table.columns.filter((_, c) => kept[c]), ...added], rows };
}

function convertText(text: string | undefined, type: Column['type']): Value {
  if (text === undefined || type === 'string') return text ?? null;
  return callOf(`to${type}`, [{ type: 'string', at: () => text }]).at([], 0);
}
