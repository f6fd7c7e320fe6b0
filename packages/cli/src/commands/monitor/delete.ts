import { namedOf } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { confirm, forceOption } from '../dataset/confirm.js';
import { monitorArgument } from './file.js';

export const monitorDelete = command({
  name: 'monitor delete',
  summary: 'Delete a monitor and its history.',
  description: 'Open incidents are resolved at their receivers. Non-interactive use requires --force.',
  remote: true,
  args: { monitor: monitorArgument },
  options: { force: forceOption },
  examples: [{ command: "millrace monitor delete --force 'Failed requests'", doc: 'Without being asked' }],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    const { id, name } = namedOf(await client.call('listMonitors'), 'monitor', args.monitor);
    await confirm(io, options.force, `Delete monitor '${name}' and its history?`);
    await client.send('deleteMonitor', { params: { id } });
    await io.err.write(`Monitor '${name}' is deleted.\n`);
    return 'done';
  },
});
