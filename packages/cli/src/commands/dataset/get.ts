import { command } from '../../command/command.js';
import { writeRecord } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { datasetArgument, withRoles } from './dataset.js';

export const datasetGet = command({
  name: 'dataset get',
  summary: 'Show one dataset.',
  remote: true,
  args: { dataset: datasetArgument },
  options: { json: jsonOption },
  examples: [{ command: 'millrace dataset get logs', doc: 'Description, retention, map fields' }],
  run: async ({ io, args, options, connect }) =>
    writeRecord(
      io,
      await connect().call('getDataset', { params: { id: args.dataset }, query: withRoles }),
      options.json,
    ),
});
