import { join } from 'node:path';
import { stat } from 'node:fs/promises';
import { command } from '../../command/command.js';
import { Failure } from '../../failure.js';
import { keepFilesPrivate } from '../../private-files.js';
import { several } from '../../render/quantity.js';
import { messageOf } from '../../system-errors.js';

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
    const file = join(options.dataDir, 'metadata.sqlite');
    const found = await stat(file).catch(() => undefined);
    if (found === undefined) throw new Failure('not-found', `${options.dataDir} is no data directory of a server`);
    keepFilesPrivate();
    const { FieldStore, openMetadata } = await import('@millrace/server/offline');
    try {
      const metadata = await openMetadata(file);
      try {
        const dataset = metadata.datasets.find(args.name);
        if (dataset === undefined) throw new Failure('not-found', `there is no dataset ${args.name}`);
        const forgotten = await new FieldStore(metadata.database).forgetOverflow(dataset.datasetId);
        await io.out.write(`${several(forgotten, 'name')} forgotten\n`);
        return 'done';
      } finally {
        await metadata.close();
      }
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure('failed', `${options.dataDir}: ${messageOf(error)}`, { cause: error });
    }
  },
});
