import { command } from '../../command/command.js';
import { writeRecord } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { datasetArgument } from './dataset.js';

export const datasetVacuum = command({
  name: 'dataset vacuum',
  summary: 'Remove unused fields.',
  description: 'At most once per day and dataset. Removed fields free their space; a later event recreates them.',
  remote: true,
  args: { dataset: datasetArgument },
  options: { json: jsonOption },
  examples: [{ command: 'millrace dataset vacuum logs', doc: 'After a trim' }],
  run: async ({ io, args, options, connect }) => {
    const answer = await connect().call('vacuumDataset', { params: { id: args.dataset } });
    return writeRecord(io, Object(answer) as object, options.json);
  },
});
