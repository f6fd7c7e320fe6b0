import { command } from '../../command/command.js';
import { fileOf } from './file.js';

export const routeGet = command({
  name: 'route get',
  summary: 'Print the table of notification routes as JSON.',
  description: 'Monitors and notifiers are named; route apply reads this form.',
  remote: true,
  examples: [{ command: 'millrace route get > routes.json', doc: 'Keep it in git' }],
  run: async ({ io, connect }) => {
    const client = connect();
    const { routes } = await client.call('getNotificationRoutes');
    const monitors = await client.call('listMonitors');
    const notifiers = await client.call('listNotifiers');
    await io.out.write(`${JSON.stringify(fileOf(routes, { monitors, notifiers }), undefined, 2)}\n`);
    return 'done';
  },
});
