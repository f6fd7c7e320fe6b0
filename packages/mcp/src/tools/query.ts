import { Type } from 'typebox';
import { queryAnswer } from '../answer/query-answer.js';
import { exactObject, times, tool } from '../tool.js';

const standardRows = 50;

export const query = tool({
  name: 'query',
  title: 'Run an APL query',
  description:
    "Runs a query in APL, which reads like Kusto: ['logs'] | where status >= 500 | summarize count() by path | top 10 by count_. Aggregate first and look at single events last. Returns tab-separated rows; the first line says how many of how many.",
  input: exactObject({
    apl: Type.String({
      minLength: 1,
      maxLength: 16_384,
      description: "Names with other characters than letters, digits and _ are quoted: ['http-logs'].",
    }),
    ...times,
    maxRows: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: `Maximum rows. Default: ${standardRows}.` }),
    ),
    cursor: Type.Optional(
      Type.String({ description: 'From a truncated result of the same query: continues after it.' }),
    ),
  }),
  run: async ({ maxRows = standardRows, ...request }, context) => ({
    text: await queryAnswer(request, { maxRows }, context),
  }),
});
