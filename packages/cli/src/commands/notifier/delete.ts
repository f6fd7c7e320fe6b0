import { namedOf } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { confirm, forceOption } from '../dataset/confirm.js';
import { notifierArgument } from './list.js';

export const notifierDelete = command({
  name: 'notifier delete',
  summary: 'Delete a notifier and remove it from all monitors.',
  description: 'A script has to use --force.',
  remote: true,
  args: { notifier: notifierArgument },
  options: { force: forceOption },
  examples: [{ command: "millrace notifier delete --force 'On call'", doc: 'Without being asked' }],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    const { id, name } = namedOf(await client.call('listNotifiers'), 'notifier', args.notifier);
    await confirm(io, options.force, `Delete notifier '${name}'?`);
    await client.send('deleteNotifier', { params: { id } });
    await io.err.write(`Notifier '${name}' is deleted.\n`);
    return 'done';
  },
});
