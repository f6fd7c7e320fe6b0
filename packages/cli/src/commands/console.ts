import { command } from '../command/command.js';
import { defaultUrl } from '../connection/options.js';
import { withMetadata } from '../directory/with-metadata.js';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { jsonOption } from './json-option.js';

export const consoleCommand = command({
  name: 'console',
  summary: 'Print a one-time console sign-in link.',
  description:
    'The link works once, within ten minutes, and gives the browser the rights of the token. With --data-dir it is made in the data directory of a ' +
    'server on this machine, without needing a token, and gives those of the owner.',
  remote: true,
  options: {
    dataDir: { type: 'text', metavar: 'DIR', doc: 'Data directory of a local server; replaces a token.' },
    json: jsonOption,
  },
  examples: [
    { command: 'millrace console', doc: 'With your token' },
    { command: 'millrace console --data-dir ./data', doc: 'As the owner, on the machine of the server' },
  ],
  run: async ({ io, options, connect }) => {
    if (options.dataDir === undefined) {
      const client = connect();
      const { path } = await client.call('createSignInCode');
      return writeLink(io, `${client.url}${path}`, options.json);
    }
    const { ownerSignIn, signInPath } = await import('@millrace/server/startup/offline');
    const code = await withMetadata(io, options.dataDir, (metadata) => ownerSignIn(metadata, Date.now));
    if (code === undefined)
      throw new Failure(
        'failed',
        `the owner has no token to sign in with: make one with millrace token create owner --personal --data-dir ${options.dataDir}`,
      );
    // The data directory does not record the address of its server.
    return writeLink(io, `${io.env['MILLRACE_URL'] ?? defaultUrl}${signInPath(code)}`, options.json);
  },
});

async function writeLink({ out }: Io, url: string, json: boolean): Promise<'done'> {
  await out.write(`${json ? JSON.stringify({ url }) : url}\n`);
  return 'done';
}
