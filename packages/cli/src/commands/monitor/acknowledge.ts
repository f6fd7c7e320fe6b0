import { command } from '../../command/command.js';
import { namedOf } from '../../find-by-name.js';
import { jsonOption } from '../json-option.js';
import { monitorArgument } from './file.js';

export const monitorAcknowledge = command({
  name: 'monitor acknowledge',
  summary: 'Acknowledge the open groups of a monitor.',
  description: 'They are neither notified again nor escalated until they close.',
  remote: true,
  args: { monitor: monitorArgument },
  options: { json: jsonOption },
  examples: [{ command: "millrace monitor acknowledge 'Failed requests'", doc: 'All that are open' }],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    const { id, name } = namedOf(await client.call('listMonitors'), 'monitor', args.monitor);
    const { groups } = await client.call('acknowledgeMonitor', { params: { id }, body: {} });
    if (options.json) await io.out.write(`${JSON.stringify({ id, name, groups })}\n`);
    else await io.err.write(`${groups.length} open groups of monitor '${name}' are acknowledged.\n`);
    return 'done';
  },
});
