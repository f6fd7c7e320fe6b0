import { Type } from 'typebox';
import { queryAnswer } from '../answer/query-answer.js';
import { eventsText, stringText } from '../apl-text.js';
import { dataset, limit, exactObject, times, tool, where } from '../tool.js';

export const searchWord = tool({
  name: 'search_word',
  title: 'Search all fields for a word',
  description:
    'Newest events in which any field contains a term, such as a request ID or an error text. Case-insensitive; whole words are fastest.',
  input: exactObject({
    dataset,
    word: Type.String({ minLength: 1, description: 'Term to search for.' }),
    where,
    ...times,
    limit: limit(20, 'events'),
  }),
  run: async ({ dataset: name, word, where: condition, limit: max = 20, ...range }, context) => {
    const apl = `${eventsText(name, condition)}\n| search ${stringText(word)}`;
    return { text: await queryAnswer({ apl, ...range }, { maxRows: max }, context) };
  },
});
