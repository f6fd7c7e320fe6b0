import { quoteName } from '../../syntax/names.js';
import type { BindPlugin } from './define.js';
import { bindOperators } from './over.js';

/**
 * `narrow()`: a row for each column of each row, with the number of the row from 0, the name of the
 * column, and its value as a text.
 */
export const bindNarrow: BindPlugin = (args, input, context) => {
  if (args.length > 0) context.query.report.error('argument_count', context.span, 'narrow takes no arguments');
  const names = input.schema.fields.map(({ name }) => name);
  if (names.length === 0) return input;
  const columns = `dynamic(${JSON.stringify(names)})`;
  const values = names.map((name) => `tostring(${quoteName(name)})`).join(', ');
  const operators = [
    `project Row = row_number(0), Column = ${columns}, Value = pack_array(${values})`,
    'mv-expand Column to typeof(string), Value to typeof(string)',
  ];
  return bindOperators(input, operators.join(' | '), context);
};
