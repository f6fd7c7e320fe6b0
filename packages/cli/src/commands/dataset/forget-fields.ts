import { readdir } from 'node:fs/promises';
import { command } from '../../command/command.js';
import { withMetadata } from '../../directory/with-metadata.js';
import { Failure } from '../../failure.js';
import { several } from '../../render/quantity.js';

export const datasetForgetFields = command({
  name: 'dataset forget-fields',
  summary: 'Forget the names of rare fields, if there are so many that a server cannot start.',
  description:
    'Stop the server first. Only fields without a column of their own are forgotten, which hold what few events have. The events keep their values, but queries ' +
    'do not find them by name until an event brings the name again. Where the server still starts, dataset vacuum removes what no event has any more.',
  args: { name: { doc: 'Name of the dataset.' } },
  options: {
    dataDir: { type: 'text', metavar: 'DIR', required: true, doc: 'Data directory of the server.' },
  },
  examples: [{ command: 'millrace dataset forget-fields logs --data-dir ./data', doc: 'While no server runs' }],
  run: async ({ io, args, options }) => {
    const names = await readdir(options.dataDir).catch(() => []);
    if (names.length === 0) throw new Failure('not-found', `${options.dataDir} is no data directory of a server`);
    const { FieldStore } = await import('@millrace/server/offline');
    const forgotten = await withMetadata(io, options.dataDir, async ({ datasets, database }) => {
      const dataset = datasets.find(args.name);
      if (dataset === undefined) throw new Failure('not-found', `there is no dataset ${args.name}`);
      return new FieldStore(database).forgetOverflow(dataset.datasetId);
    });
    await io.out.write(`${several(forgotten, 'name')} forgotten\n`);
    return 'done';
  },
});
