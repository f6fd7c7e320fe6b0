import { Type } from 'typebox';
import { queryAnswer } from '../answer/query-answer.js';
import { eventsText, nameText } from '../apl-text.js';
import { dataset, limit, exactObject, times, tool, where } from '../tool.js';

export const fieldValues = tool({
  name: 'field_values',
  title: 'Most frequent values of a field',
  description: 'Values of a field with their number of events, the most frequent first.',
  input: exactObject({
    dataset,
    field: Type.String({ minLength: 1, description: 'Name of the field.' }),
    where,
    ...times,
    limit: limit(20, 'values'),
  }),
  run: async ({ dataset: name, field, where: condition, limit: max = 20, ...range }, context) => {
    const apl = `${eventsText(name, condition)}\n| summarize events = count() by ${nameText(field)}\n| top ${max} by events`;
    return { text: await queryAnswer({ apl, ...range }, { maxRows: max }, context) };
  },
});
