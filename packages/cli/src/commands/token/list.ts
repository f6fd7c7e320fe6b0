import { command } from '../../command/command.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { tokenColumns } from './token.js';

export const tokenList = command({
  name: 'token list',
  summary: 'List the API tokens, without their secrets.',
  remote: true,
  options: { json: jsonOption },
  examples: [{ command: 'millrace token list', doc: 'All tokens and what they may do' }],
  run: async ({ io, options, connect }) =>
    writeRecords(io, await connect().call('listTokens'), tokenColumns, options.json),
});
