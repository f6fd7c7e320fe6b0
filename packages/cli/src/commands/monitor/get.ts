import { namedOf } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { fileOf, monitorArgument, withMpl } from './file.js';

export const monitorGet = command({
  name: 'monitor get',
  summary: 'Print a monitor, as monitor apply reads it.',
  remote: true,
  args: { monitor: monitorArgument },
  examples: [{ command: "millrace monitor get 'Failed requests' > failed-requests.json", doc: 'Into a file' }],
  run: async ({ io, args, connect }) => {
    const client = connect();
    const monitors = await client.call('listMonitors', { query: withMpl });
    const monitor = namedOf(monitors, 'monitor', args.monitor);
    const file = fileOf(monitor, await client.call('listNotifiers'), monitors);
    await io.out.write(`${JSON.stringify(file, null, 2)}\n`);
    return 'done';
  },
});
