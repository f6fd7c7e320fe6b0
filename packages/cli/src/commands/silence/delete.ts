import { command } from '../../command/command.js';

export const silenceDelete = command({
  name: 'silence delete',
  summary: 'Delete a silence; open incidents are sent again.',
  remote: true,
  args: { silence: { doc: 'Its id, as silence list shows it.' } },
  examples: [{ command: 'millrace silence delete silence_5f2b7c1e9a4d3b6c8e0f1a2b', doc: 'One silence' }],
  run: async ({ io, args, connect }) => {
    await connect().send('deleteSilence', { params: { id: args.silence } });
    await io.err.write(`Silence '${args.silence}' is deleted.\n`);
    return 'done';
  },
});
