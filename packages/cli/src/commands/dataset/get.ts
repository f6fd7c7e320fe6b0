import { command } from '../../command/command.js';
import { inPath } from '../../connection/client.js';
import { writeRecord } from '../../render/records.js';
import { datasetArgument, datasetsPath, jsonOption } from './dataset.js';

export const datasetGet = command({
  name: 'dataset get',
  summary: 'Show one dataset.',
  remote: true,
  args: { dataset: datasetArgument },
  options: { json: jsonOption },
  examples: [{ command: 'millrace dataset get logs', doc: 'Description, retention, map fields' }],
  run: async ({ io, args, options, connect }) =>
    writeRecord(io, (await connect().json('GET', `${datasetsPath}/${inPath(args.dataset)}`)) as object, options.json),
});
