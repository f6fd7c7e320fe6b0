import { rowCount } from '../grouping/row-count.js';
import type { BindPlugin } from './define.js';

/** `preview(n)`: the first rows. */
export const bindPreview: BindPlugin = ([count, ...others], input, context) => {
  const { query, span } = context;
  if (count === undefined || others.length > 0) {
    query.report.error('argument_count', span, 'preview takes a number of rows, as in preview(50)');
    return input;
  }
  const rows = rowCount(count.value, 'preview', context);
  return rows === undefined ? input : { kind: 'limit', schema: input.schema, input, count: rows };
};
