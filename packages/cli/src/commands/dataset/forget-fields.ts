import { readdir } from 'node:fs/promises';
import { command } from '../../command/command.js';
import { withMetadata } from '../../directory/with-metadata.js';
import { jsonOption } from '../json-option.js';
import { Failure } from '../../failure.js';
import { pluralize } from '../../render/quantity.js';

export const datasetForgetFields = command({
  name: 'dataset forget-fields',
  summary: 'Drop rare field names when a server cannot start because of too many.',
  description:
    'Stop the server first. Drops only rare fields, which have no dedicated column. The events keep their values, but queries ' +
    'do not find them by name until an event has the name again. If the server still starts, use dataset vacuum, which drops fields that no event has.',
  args: { name: { doc: 'Name of the dataset.' } },
  options: {
    dataDir: { type: 'text', metavar: 'DIR', required: true, doc: 'Data directory of the server.' },
    json: jsonOption,
  },
  examples: [{ command: 'millrace dataset forget-fields logs --data-dir ./data', doc: 'While no server runs' }],
  run: async ({ io, args, options }) => {
    const names = await readdir(options.dataDir).catch(() => []);
    if (names.length === 0) throw new Failure('not-found', `${options.dataDir} is no data directory of a server`);
    const { FieldStore } = await import('@millrace/server/startup/offline');
    const forgotten = await withMetadata(io, options.dataDir, async ({ datasets, database }) => {
      const dataset = datasets.find(args.name);
      if (dataset === undefined) throw new Failure('not-found', `there is no dataset ${args.name}`);
      return new FieldStore(database).forgetOverflow(dataset.datasetId);
    });
    await io.out.write(
      options.json ? `${JSON.stringify({ forgotten })}\n` : `${pluralize(forgotten, 'name')} forgotten\n`,
    );
    return 'done';
  },
});
