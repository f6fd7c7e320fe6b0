import { command } from '../../command/command.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { withMpl } from './file.js';

export const monitorList = command({
  name: 'monitor list',
  summary: 'List monitors and their status.',
  remote: true,
  options: { json: jsonOption },
  examples: [{ command: 'millrace monitor list', doc: 'All monitors' }],
  run: async ({ io, options, connect }) => {
    const client = connect();
    const status = new Map((await client.call('listMonitorStatus')).map((each) => [each.id, each]));
    const monitors = (await client.call('listMonitors', { query: withMpl })).map((monitor) => ({
      ...monitor,
      status: status.get(monitor.id)?.state ?? '',
      error: status.get(monitor.id)?.error ?? '',
      failing: status.get(monitor.id)?.failing,
    }));
    return writeRecords(
      io,
      monitors,
      [
        { title: 'id', whole: true, of: ({ id }) => id },
        { title: 'name', of: ({ name }) => name },
        { title: 'type', of: ({ type }) => type },
        {
          title: 'state',
          of: ({ status, error, failing }) => {
            const state = failing === undefined ? status : `${status}, failing`;
            return error === '' ? state : `${state}: ${error}`;
          },
        },
      ],
      options.json,
    );
  },
});
