import { command } from '../../command/command.js';
import { inPath } from '../../connection/client.js';
import { writeRecords } from '../../render/records.js';
import { datasetArgument, datasetsPath, jsonOption } from './dataset.js';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly hidden: boolean;
  readonly description: string;
}

export const datasetFields = command({
  name: 'dataset fields',
  summary: 'List the fields of a dataset with their types.',
  remote: true,
  args: { dataset: datasetArgument },
  options: { json: jsonOption },
  examples: [{ command: 'millrace dataset fields logs', doc: 'What the events of logs have' }],
  run: async ({ io, args, options, connect }) =>
    writeRecords(
      io,
      (await connect().json('GET', `${datasetsPath}/${inPath(args.dataset)}/fields`)) as readonly Field[],
      [
        { title: 'name', of: ({ name }) => name },
        { title: 'type', of: ({ type }) => type },
        { title: 'unit', of: ({ unit }) => unit },
        { title: 'hidden', of: ({ hidden }) => (hidden ? 'yes' : '') },
        { title: 'description', of: ({ description }) => description },
      ],
      options.json,
    ),
});
