import { command } from '../command/command.js';
import { counted, several } from '../render/quantity.js';

export const verify = command({
  name: 'verify',
  summary: 'Have a running server recount its log against what is stored.',
  description:
    'Compares every batch that is still in the log; the server takes events and queries meanwhile. Exit code 1 when a ' +
    'batch is not stored exactly once, or the engine refuses one.',
  remote: true,
  options: { json: { type: 'flag', doc: 'Write the result as JSON.' } },
  examples: [{ command: 'millrace verify', doc: 'Now and then, from a timer' }],
  run: async ({ io, options, connect }) => {
    const recount = await connect().call('verify');
    // Servers of earlier versions count refused batches among the wrong ones.
    const { batches, events, skipped, wrong, refused = [] } = recount;
    if (options.json) {
      await io.out.write(`${JSON.stringify(recount)}\n`);
    } else {
      const left = skipped === 0 ? '' : `, ${counted(skipped)} of them deleted since`;
      const fine = refused.length === 0 ? 'all stored exactly once' : 'all others stored exactly once';
      await io.out.write(
        `${counted(batches)} batch${batches === 1 ? '' : 'es'} with ${several(events, 'event')} in the log${left}: ` +
          `${wrong.length === 0 ? fine : `${counted(wrong.length)} not stored exactly once`}\n`,
      );
      for (const { position, datasetId, events, rows } of wrong)
        await io.err.write(`batch ${position} of dataset ${datasetId}: ${several(events, 'event')}, ${rows} stored\n`);
      if (refused.length > 0)
        await io.err.write(
          `the engine refuses ${counted(refused.length)} of the acknowledged batches (positions ${refused.slice(0, 10).join(', ')}). ` +
            "They are kept and tried again at each start; the server's log says why they are refused\n",
        );
    }
    return wrong.length === 0 && refused.length === 0 ? 'done' : 'failed';
  },
});
