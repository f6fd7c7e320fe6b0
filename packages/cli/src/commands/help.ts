import { command } from '../command/command.js';
import { helpText } from '../command/help.js';
import { parse } from '../command/parse.js';

export const help = command({
  name: 'help',
  summary: 'Show help for a command.',
  args: {
    command: { optional: true, doc: 'A command or a group.' },
    member: { optional: true, doc: 'One of the group.' },
  },
  examples: [{ command: 'millrace help dataset create', doc: 'The same as millrace dataset create --help' }],
  run: async ({ io, args: { command: first, member } }) => {
    const { commands } = await import('./every-command.js');
    const words = [first, member].filter((word) => word !== undefined);
    const parsed = parse([...words, '--help'], commands);
    await io.out.write(await helpText(parsed.kind === 'help' ? parsed.of : [], commands));
    return 'done';
  },
});
