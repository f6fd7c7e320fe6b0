import { findNamed, namedOf } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { fileArgument } from '../../document-file.js';
import { monitorIn } from './file.js';

export const monitorApply = command({
  name: 'monitor apply',
  summary: 'Create a monitor from a file, or replace the one with the same name.',
  description:
    'The file holds a monitor as monitor get prints it. "notifiers" lists names of notifiers. With an "id" it replaces that monitor, whatever its name.',
  remote: true,
  args: { file: fileArgument },
  examples: [{ command: 'millrace monitor apply failed-requests.json', doc: 'From a file kept in git' }],
  run: async ({ io, args, connect }) => {
    const client = connect();
    const { id, body } = await monitorIn(args.file, io, client);
    const all = await client.call('listMonitors');
    const present = id === undefined ? findNamed(all, 'monitor', String(body.name)) : namedOf(all, 'monitor', id);
    const written =
      present === undefined
        ? await client.call('createMonitor', { body })
        : await client.call('updateMonitor', { params: { id: present.id }, body });
    await io.err.write(
      `Monitor '${written.name}' is ${present === undefined ? 'created' : 'replaced'}: ${written.id}.\n`,
    );
    return 'done';
  },
});
