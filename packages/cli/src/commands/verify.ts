import { command } from '../command/command.js';
import { counted, several } from '../render/quantity.js';

export const verify = command({
  name: 'verify',
  summary: 'Have a running server recount its log against what is stored.',
  description:
    'Compares every batch that is still in the log; the server takes events and queries meanwhile. Exit code 1 when a ' +
    'batch is not stored exactly once, the engine refuses one, or stored events are missing.',
  remote: true,
  options: {
    json: { type: 'flag', doc: 'Write the result as JSON.' },
    'accept-missing': {
      type: 'flag',
      doc: 'Do without the events that are missing: they are no longer reported. Bring back from a backup what you can before.',
    },
  },
  examples: [{ command: 'millrace verify', doc: 'Now and then, from a timer' }],
  run: async ({ io, options, connect }) => {
    const client = connect();
    if (options['accept-missing']) await client.call('acceptMissing');
    const recount = await client.call('verify');
    // Servers of earlier versions count refused batches among the wrong ones, and do not know what
    // is missing.
    const { batches, events, skipped, wrong, refused = [], missing = [], aside = [] } = recount;
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
      for (const { datasetId, partition, events, since } of missing)
        await io.err.write(
          `${several(events, 'event')} of dataset ${datasetId} in partition ${partition} were stored and are not there any more; noticed ${since}\n`,
        );
      if (missing.length > 0)
        await io.err.write(
          'Their files are damaged or gone. Restore a backup into a new directory, or do without them: millrace verify --accept-missing\n',
        );
      if (missing.length > 0 && aside.length > 0)
        await io.err.write(`parts that the engine put aside: ${aside.slice(0, 10).join('; ')}\n`);
    }
    return wrong.length + refused.length + missing.length === 0 ? 'done' : 'failed';
  },
});
