import { Type } from 'typebox';
import { queryAnswer } from '../answer/query-answer.js';
import { eventsText, nameText } from '../apl-text.js';
import { dataset, limit, exactObject, times, tool, where } from '../tool.js';

export const patterns = tool({
  name: 'patterns',
  title: 'Group similar texts',
  description:
    'Groups the texts of a field into templates, in which numbers and identifiers are replaced by *, with counts and an example of each. Use it to see what kinds of messages or errors there are.',
  input: exactObject({
    dataset,
    field: Type.String({ minLength: 1, description: 'Field with texts, such as message.' }),
    where,
    ...times,
    limit: limit(20, 'patterns'),
  }),
  run: async ({ dataset: name, field, where: condition, limit: max = 20, ...range }, context) => {
    const apl = `${eventsText(name, condition)}\n| reduce by ${nameText(field)}\n| top ${max} by Count`;
    return { text: await queryAnswer({ apl, ...range }, { maxRows: max }, context) };
  },
});
