import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { TObject } from 'typebox';
import { errorText } from './answer/error-text.js';
import type { AgentContext } from './context.js';
import { instructions } from './instructions.js';
import { registerPrompts } from './prompts.js';
import { registerResources } from './resources.js';
import { tools } from './tools/every-tool.js';

/** Parts of a schema that clients see, without the marks of the library that made it. */
const plain = (schema: TObject) => JSON.parse(JSON.stringify(schema)) as Parameters<typeof fromJsonSchema>[0];

/** Compiled once: making a validator costs more than most calls. */
const compiledTools = tools.map((tool) => ({
  ...tool,
  run: tool.run,
  input: fromJsonSchema<unknown>(plain(tool.input)),
  output: tool.output === undefined ? undefined : fromJsonSchema<unknown>(plain(tool.output)),
}));

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** Cache lifetime of lists, milliseconds. They change only with the rights of the token. */
const listsLast = 300_000;

/** A server for one request: it has what the caller's token may use. */
export function mcpServer(context: AgentContext, version: string): McpServer {
  const server = new McpServer(
    { name: 'millrace', title: 'Millrace', version },
    {
      instructions: instructions(context),
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      cacheHints: {
        'tools/list': { ttlMs: listsLast, cacheScope: 'private' },
        'prompts/list': { ttlMs: listsLast, cacheScope: 'private' },
      },
    },
  );
  for (const { name, title, description, input, output, need, run } of compiledTools) {
    if (need !== undefined && !context.call.may(need)) continue;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input,
        ...(output !== undefined && { outputSchema: output }),
        annotations: { title, ...readOnly },
      },
      async (args: unknown) => {
        try {
          const { text, structured } = await run(args, context);
          return {
            content: [{ type: 'text', text }],
            ...(structured !== undefined && { structuredContent: structured }),
          };
        } catch (error) {
          return { content: [{ type: 'text', text: errorText(error, context) }], isError: true };
        }
      },
    );
  }
  registerResources(server, context);
  registerPrompts(server);
  return server;
}
