import type { WriteSource } from '@millrace/client';
import { command } from '../../command/command.js';
import { fileArgument, readDocument } from '../../document-file.js';
import { jsonOption } from '../json-option.js';

export const sourceCreate = command({
  name: 'source create',
  summary: 'Create a source from a file.',
  description:
    'The file holds the body of POST /v2/sources: "name", "dataset", and "properties" with either "kafka" or "bucket". The source starts at once.',
  remote: true,
  args: { file: fileArgument },
  options: { json: jsonOption },
  examples: [{ command: 'millrace source create orders.json', doc: 'From a file' }],
  run: async ({ io, args, options, connect }) => {
    // The server validates it.
    const body = (await readDocument(args.file, io)) as unknown as WriteSource;
    const made = await connect().call('createSource', { body });
    if (options.json) await io.out.write(`${JSON.stringify(made)}\n`);
    else await io.err.write(`Source '${made.name}' is created: ${made.id}.\n`);
    return 'done';
  },
});
