import { command } from '../command/command.js';
import { jsonOption } from './json-option.js';
import { version as versionOf } from '../version.js';

export const version = command({
  name: 'version',
  summary: 'Print the version.',
  options: { json: jsonOption },
  examples: [{ command: 'millrace version', doc: 'The same as millrace --version' }],
  run: async ({ io, options }) => {
    const version = versionOf();
    await io.out.write(`${options.json ? JSON.stringify({ version, node: process.versions.node }) : version}\n`);
    return 'done';
  },
});
