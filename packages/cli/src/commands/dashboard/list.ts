import { command } from '../../command/command.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';

export const dashboardList = command({
  name: 'dashboard list',
  summary: 'List the dashboards that you may see.',
  remote: true,
  options: { json: jsonOption },
  examples: [{ command: 'millrace dashboard list', doc: 'All dashboards' }],
  run: async ({ io, options, connect }) =>
    writeRecords(
      io,
      await connect().call('listDashboards', { query: { limit: 1000 } }),
      [
        { title: 'uid', whole: true, of: ({ uid }) => uid },
        { title: 'name', of: ({ dashboard }) => String(dashboard['name']) },
        { title: 'version', right: true, of: ({ version }) => String(version) },
        { title: 'changed', of: ({ updatedAt }) => updatedAt },
      ],
      options.json,
    ),
});
