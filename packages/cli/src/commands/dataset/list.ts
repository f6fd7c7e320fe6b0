import { command } from '../../command/command.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';

export const datasetList = command({
  name: 'dataset list',
  summary: 'List the datasets.',
  remote: true,
  options: { json: jsonOption },
  examples: [{ command: 'millrace dataset list', doc: 'All datasets' }],
  run: async ({ io, options, connect }) =>
    writeRecords(
      io,
      await connect().call('listDatasets'),
      [
        { title: 'name', whole: true, of: ({ name }) => name },
        { title: 'description', of: ({ description }) => description },
        {
          title: 'retention',
          right: true,
          of: ({ useRetentionPeriod, retentionDays }) =>
            useRetentionPeriod === true && retentionDays ? `${retentionDays} d` : 'forever',
        },
        { title: 'created', of: ({ created }) => created },
      ],
      options.json,
    ),
});
