import { Type } from 'typebox';
import { datasetText } from '../describe.js';
import { dataset, limit, exactObject, tool } from '../tool.js';

export const describeDataset = tool({
  name: 'describe_dataset',
  title: 'Describe a dataset',
  description:
    'Fields of a dataset with types, units and descriptions, its time range and its newest event. Call it before you write a query.',
  input: exactObject({
    dataset,
    match: Type.Optional(Type.String({ description: 'Part of the field names, case-insensitive.' })),
    limit: limit(100, 'fields'),
  }),
  run: async ({ dataset: name, match = '', limit: max = 100 }, context) => ({
    text: await datasetText(name, { match, max }, context),
  }),
});
