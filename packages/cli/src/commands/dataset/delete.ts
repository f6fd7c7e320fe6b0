import { command } from '../../command/command.js';
import { confirm, forceOption } from './confirm.js';
import { datasetArgument } from './dataset.js';

export const datasetDelete = command({
  name: 'dataset delete',
  summary: 'Delete a dataset and all its events.',
  description: 'This cannot be undone. Non-interactive use requires --force.',
  remote: true,
  args: { dataset: datasetArgument },
  options: { force: forceOption },
  examples: [{ command: 'millrace dataset delete --force scratch', doc: 'Without being asked' }],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    await confirm(io, options.force, `Delete dataset '${args.dataset}' and all its events?`);
    await client.send('deleteDataset', { params: { id: args.dataset } });
    await io.err.write(`Dataset '${args.dataset}' is deleted.\n`);
    return 'done';
  },
});
