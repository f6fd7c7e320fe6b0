import { command } from '../../command/command.js';
import { confirm, forceOption } from './confirm.js';
import { datasetArgument } from './dataset.js';

export const datasetTrim = command({
  name: 'dataset trim',
  summary: 'Delete events older than a duration.',
  remote: true,
  args: { dataset: datasetArgument, duration: { doc: 'Maximum age to keep, for example 30d or 12h.' } },
  options: { force: forceOption },
  examples: [{ command: 'millrace dataset trim --force logs 30d', doc: 'Keep the last 30 days' }],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    await confirm(io, options.force, `Remove the events of '${args.dataset}' that are older than ${args.duration}?`);
    await client.send('trimDataset', { params: { id: args.dataset }, body: { maxDuration: args.duration } });
    await io.err.write(`The events of '${args.dataset}' that were older than ${args.duration} are gone.\n`);
    return 'done';
  },
});
