import { namedOf } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { sourceArgument } from './list.js';

export const sourcePause = command({
  name: 'source pause',
  summary: 'Pause a source; it reads no further until resumed.',
  remote: true,
  args: { source: sourceArgument },
  examples: [{ command: 'millrace source pause orders', doc: 'By name' }],
  run: async ({ io, args, connect }) => {
    const client = connect();
    const { id, name } = namedOf(await client.call('listSources'), 'source', args.source);
    await client.call('pauseSource', { params: { id } });
    await io.err.write(`Source '${name}' is paused.\n`);
    return 'done';
  },
});
