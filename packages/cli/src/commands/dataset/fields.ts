import { command } from '../../command/command.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { datasetArgument } from './dataset.js';

export const datasetFields = command({
  name: 'dataset fields',
  summary: 'List the fields of a dataset with their types.',
  remote: true,
  args: { dataset: datasetArgument },
  options: { json: jsonOption },
  examples: [{ command: 'millrace dataset fields logs', doc: 'What the events of logs have' }],
  run: async ({ io, args, options, connect }) =>
    writeRecords(
      io,
      await connect().call('listFields', { params: { id: args.dataset } }),
      [
        { title: 'name', whole: true, of: ({ name }) => name },
        { title: 'type', of: ({ type }) => type },
        { title: 'unit', of: ({ unit }) => unit },
        { title: 'hidden', of: ({ hidden }) => (hidden ? 'yes' : '') },
        { title: 'description', of: ({ description }) => description },
      ],
      options.json,
    ),
});
