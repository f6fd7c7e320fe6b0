import { command } from '../../command/command.js';
import { confirm, forceOption } from '../dataset/confirm.js';
import { uidArgument } from './get.js';

export const dashboardDelete = command({
  name: 'dashboard delete',
  summary: 'Delete a dashboard.',
  description: 'A script has to use --force.',
  remote: true,
  args: { uid: uidArgument },
  options: { force: forceOption },
  examples: [{ command: 'millrace dashboard delete --force old-overview', doc: 'Without being asked' }],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    await confirm(io, options.force, `Delete dashboard '${args.uid}'?`);
    await client.send('deleteDashboard', { params: { uid: args.uid } });
    await io.err.write(`Dashboard '${args.uid}' is deleted.\n`);
    return 'done';
  },
});
