import { command } from '../command/command.js';
import { counted, several } from '../render/quantity.js';

export const verify = command({
  name: 'verify',
  summary: 'Have a running server recount its log against what is stored.',
  description:
    'Compares every batch that is still in the log; the server takes events and queries meanwhile. Exit code 1 when a ' +
    'batch is not stored exactly once.',
  remote: true,
  options: { json: { type: 'flag', doc: 'Write the result as JSON.' } },
  examples: [{ command: 'millrace verify', doc: 'Now and then, from a timer' }],
  run: async ({ io, options, connect }) => {
    const recount = await connect().call('verify');
    const { batches, events, skipped, wrong } = recount;
    if (options.json) {
      await io.out.write(`${JSON.stringify(recount)}\n`);
    } else {
      const left = skipped === 0 ? '' : `, ${counted(skipped)} of them deleted since`;
      await io.out.write(
        `${counted(batches)} batch${batches === 1 ? '' : 'es'} with ${several(events, 'event')} in the log${left}: ` +
          `${wrong.length === 0 ? 'all stored exactly once' : `${counted(wrong.length)} not stored exactly once`}\n`,
      );
      for (const { position, datasetId, events, rows } of wrong)
        await io.err.write(`batch ${position} of dataset ${datasetId}: ${several(events, 'event')}, ${rows} stored\n`);
    }
    return wrong.length === 0 ? 'done' : 'failed';
  },
});
