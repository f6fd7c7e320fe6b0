import { command } from '../command/command.js';
import { formatCount, pluralize } from '../render/quantity.js';

export const verify = command({
  name: 'verify',
  summary: 'Verify that every batch in the log is stored exactly once.',
  description:
    'Compares every batch that is still in the log while the server keeps running. Exit code 1 means that a ' +
    'batch is not stored exactly once, the engine rejects one, or stored events are missing or damaged.',
  remote: true,
  options: {
    json: { type: 'flag', doc: 'Write the result as JSON.' },
    files: { type: 'flag', doc: 'Read all files and compare their checksums, which takes a while.' },
    'accept-missing': {
      type: 'flag',
      doc: 'Acknowledge missing events and stop reporting them. Restore from a backup first if possible.',
    },
  },
  examples: [{ command: 'millrace verify', doc: 'Now and then, from a timer' }],
  run: async ({ io, options, connect }) => {
    const client = connect();
    if (options['accept-missing']) await client.call('acceptMissing');
    const recount = await client.call('verify', options.files ? { query: { files: true } } : undefined);
    // Earlier servers count quarantined batches as wrong and do not report missing events.
    const { batches, events, skipped, wrong, refused = [], missing = [], aside = [], damaged = [] } = recount;
    if (options.json) {
      await io.out.write(`${JSON.stringify(recount)}\n`);
    } else {
      const left = skipped === 0 ? '' : `, ${formatCount(skipped)} of them deleted since`;
      const fine = refused.length === 0 ? 'all stored exactly once' : 'all others stored exactly once';
      await io.out.write(
        `${formatCount(batches)} batch${batches === 1 ? '' : 'es'} with ${pluralize(events, 'event')} in the log${left}: ` +
          `${wrong.length === 0 ? fine : `${formatCount(wrong.length)} not stored exactly once`}\n`,
      );
      for (const { position, events, rows, ...of } of wrong)
        await io.err.write(
          `batch ${position} of dataset ${nameOf(of)}: ${pluralize(events, 'event')}, ${rows} stored\n`,
        );
      if (refused.length > 0)
        await io.err.write(
          `the engine refuses ${formatCount(refused.length)} of the acknowledged batches (positions ${refused.slice(0, 10).join(', ')}). ` +
            "They are kept and tried again at each start; the server's log says why they are refused\n",
        );
      for (const { partition, events, since, ...of } of missing)
        await io.err.write(
          of.datasetId === 0
            ? `files of the log are missing since ${since}: acknowledged events that were not stored yet are lost\n`
            : `${pluralize(events, 'event')} of dataset ${nameOf(of)} in partition ${partition} were stored and are not there any more; noticed ${since}\n`,
        );
      if (missing.length > 0)
        await io.err.write(
          'Their files are damaged or gone. Restore a backup into a new directory, or do without them: millrace verify --accept-missing\n',
        );
      if (missing.length > 0 && aside.length > 0)
        await io.err.write(`parts that the engine put aside: ${aside.slice(0, 10).join('; ')}\n`);
      for (const { part, reason, ...of } of damaged.slice(0, 10))
        await io.err.write(`damaged part ${part} of dataset ${nameOf(of)}: ${reason}\n`);
      if (damaged.length > 0)
        await io.err.write(
          `${pluralize(damaged.length, 'part')} cannot be read. Put the files back, or restore a backup into a new directory\n`,
        );
    }
    return wrong.length + refused.length + missing.length + damaged.length === 0 ? 'done' : 'failed';
  },
});

/** Earlier servers send the number of a dataset alone. */
const nameOf = ({ datasetId, dataset }: { readonly datasetId: number; readonly dataset?: string }): string =>
  dataset ?? String(datasetId);
