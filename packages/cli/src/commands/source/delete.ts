import { namedOf } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { confirm, forceOption } from '../dataset/confirm.js';
import { sourceArgument } from './list.js';

export const sourceDelete = command({
  name: 'source delete',
  summary: 'Delete a source; stored events stay.',
  description: 'A script has to use --force.',
  remote: true,
  args: { source: sourceArgument },
  options: { force: forceOption },
  examples: [{ command: 'millrace source delete --force orders', doc: 'Without being asked' }],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    const { id, name } = namedOf(await client.call('listSources'), 'source', args.source);
    await confirm(io, options.force, `Delete source '${name}'?`);
    await client.send('deleteSource', { params: { id } });
    await io.err.write(`Source '${name}' is deleted.\n`);
    return 'done';
  },
});
