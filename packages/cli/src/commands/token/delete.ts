import { command } from '../../command/command.js';
import { idArgument } from './token.js';

export const tokenDelete = command({
  name: 'token delete',
  summary: 'Delete an API token; it stops working at once.',
  remote: true,
  args: { id: idArgument },
  examples: [{ command: 'millrace token delete 1f4f9d6e-9f3c-4d62-9a3f-6f0c3b0f6a11', doc: 'One that leaked' }],
  run: async ({ io, args, connect }) => {
    await connect().send('deleteToken', { params: { id: args.id } });
    await io.err.write(`Token ${args.id} is deleted.\n`);
    return 'done';
  },
});
