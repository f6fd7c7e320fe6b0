import { command } from '../../command/command.js';
import { fileArgument } from '../../document-file.js';
import { routesIn } from './file.js';

export const routeApply = command({
  name: 'route apply',
  summary: 'Replace the table of notification routes.',
  description: 'Takes effect with the next run of each monitor.',
  remote: true,
  args: { file: fileArgument },
  examples: [{ command: 'millrace route apply routes.json', doc: 'From a file' }],
  run: async ({ io, args, connect }) => {
    const client = connect();
    const monitors = await client.call('listMonitors');
    const notifiers = await client.call('listNotifiers');
    const routes = await routesIn(args.file, io, { monitors, notifiers });
    const written = await client.call('replaceNotificationRoutes', { body: { routes } });
    await io.err.write(`The table is replaced (version ${written.version}).\n`);
    return 'done';
  },
});
