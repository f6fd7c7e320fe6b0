import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { command } from '../command/command.js';
import { proxy } from '../mcp/proxy.js';

export const mcp = command({
  name: 'mcp',
  summary: 'Connect an agent that speaks MCP over stdio.',
  description:
    'Passes messages from standard input to /mcp of the server, and responses to standard output. For clients without ' +
    'MCP over HTTP; the others connect to /mcp directly: docs/agents.md.',
  remote: true,
  examples: [{ command: 'millrace mcp', doc: 'The command that MCP clients start; the token is in MILLRACE_TOKEN' }],
  run: async ({ io, connect }) => {
    const lines = createInterface({ input: Readable.from(io.input), crlfDelay: Number.POSITIVE_INFINITY });
    await proxy(connect(), { lines, write: (line) => io.out.write(`${line}\n`) });
    return 'done';
  },
});
