import { namedOf } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { sourceArgument } from './list.js';

export const sourceResume = command({
  name: 'source resume',
  summary: 'Resume a source after its last stored batch.',
  remote: true,
  args: { source: sourceArgument },
  examples: [{ command: 'millrace source resume orders', doc: 'By name' }],
  run: async ({ io, args, connect }) => {
    const client = connect();
    const { id, name } = namedOf(await client.call('listSources'), 'source', args.source);
    await client.call('resumeSource', { params: { id } });
    await io.err.write(`Source '${name}' is resumed.\n`);
    return 'done';
  },
});
