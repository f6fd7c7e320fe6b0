import { command } from '../../command/command.js';
import { writeRecord } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { datasetArgument, datasetProperties, propertiesIn } from './dataset.js';

export const datasetCreate = command({
  name: 'dataset create',
  summary: 'Create a dataset.',
  remote: true,
  args: { dataset: datasetArgument },
  options: { ...datasetProperties, json: jsonOption },
  examples: [
    { command: 'millrace dataset create logs', doc: 'A dataset for logs' },
    { command: "millrace dataset create traces -d 'Spans of the shop' --retention-days 30", doc: 'Kept for a month' },
  ],
  run: async ({ io, args, options, connect }) => {
    const body = { name: args.dataset, ...propertiesIn(options) };
    return writeRecord(io, await connect().call('createDataset', { body }), options.json);
  },
});
