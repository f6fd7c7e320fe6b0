import { namedOf } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { confirm, forceOption } from '../dataset/confirm.js';
import { sourceArgument } from './list.js';

export const sourceRemove = command({
  name: 'source remove',
  summary: 'Remove a source; stored events stay.',
  description: 'A script has to use --force.',
  remote: true,
  args: { source: sourceArgument },
  options: { force: forceOption },
  examples: [{ command: 'millrace source remove --force orders', doc: 'Without being asked' }],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    const { id, name } = namedOf(await client.call('listSources'), 'source', args.source);
    await confirm(io, options.force, `Remove source '${name}'?`);
    await client.send('deleteSource', { params: { id } });
    await io.err.write(`Source '${name}' is removed.\n`);
    return 'done';
  },
});
