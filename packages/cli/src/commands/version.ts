import { command } from '../command/command.js';
import { version as versionOf } from '../version.js';

export const version = command({
  name: 'version',
  summary: 'Print the version.',
  examples: [{ command: 'millrace version', doc: 'The same as millrace --version' }],
  run: async ({ io }) => {
    await io.out.write(`${versionOf()}\n`);
    return 'done';
  },
});
