import { command } from '../../command/command.js';
import { writeRecord } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { idArgument } from './token.js';

export const tokenGet = command({
  name: 'token get',
  summary: 'Show one API token, without its secret.',
  remote: true,
  args: { id: idArgument },
  options: { json: jsonOption },
  examples: [{ command: 'millrace token get 1f4f9d6e-9f3c-4d62-9a3f-6f0c3b0f6a11', doc: 'What it may do' }],
  run: async ({ io, args, options, connect }) =>
    writeRecord(io, await connect().call('getToken', { params: { id: args.id } }), options.json),
});
