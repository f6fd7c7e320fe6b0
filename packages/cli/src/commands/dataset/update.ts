import { command } from '../../command/command.js';
import { usage } from '../../failure.js';
import { writeRecord } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { datasetArgument, datasetProperties, propertiesIn, roleProperties, rolesIn, withRoles } from './dataset.js';

export const datasetUpdate = command({
  name: 'dataset update',
  summary: 'Change description, retention or fields of a dataset.',
  remote: true,
  args: { dataset: datasetArgument },
  options: { ...datasetProperties, ...roleProperties, json: jsonOption },
  examples: [
    { command: 'millrace dataset update logs --retention-days 90', doc: 'Keep events for 90 days' },
    {
      command: 'millrace dataset update logs --time-field @timestamp',
      doc: 'New events get their time from @timestamp',
    },
  ],
  run: async ({ io, args, options, connect }) => {
    const change = { ...propertiesIn(options), ...rolesIn(options) };
    if (Object.keys(change).length === 0)
      throw usage('nothing to change: give --description, --retention-days or a field, such as --time-field');
    const client = connect();
    const params = { id: args.dataset };
    // Some servers clear omitted properties, so current values are sent.
    const { description, retentionDays = 0, useRetentionPeriod = false } = await client.call('getDataset', { params });
    const body = { description, retentionDays, useRetentionPeriod, ...change };
    return writeRecord(io, await client.call('updateDataset', { params, query: withRoles, body }), options.json);
  },
});
