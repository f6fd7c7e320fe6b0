import { createMcpHandler } from '@modelcontextprotocol/server';
import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { bytes, type RequestContext, route, type Route } from '@millrace/http/route';
import type { QueryService } from '@millrace/query/service';
import { agentName } from './agent-name.js';
import type { AgentContext } from './context.js';
import { mcpServer } from './mcp-server.js';
import { mcpErrors } from './mcp-errors.js';

/** MCP over Streamable HTTP, without sessions: each message is a request of its own. */

const text = Type.Optional(Type.String());
/** Headers that the protocol reads; the others stay here. */
const passed = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
const headers = Type.Object({
  'mcp-protocol-version': text,
  'mcp-method': text,
  'mcp-name': text,
  'user-agent': text,
  origin: text,
  host: text,
});
const body = Type.Unknown();
const request = { headers, body } as const;
type McpCall = RequestContext<typeof request>;

/** @param version of the server */
export function mcpRoutes(service: QueryService, version: string): readonly Route[] {
  if (!service.settings.mcp) return [];
  return [
    route({
      method: 'POST',
      path: '/mcp',
      operation: 'mcp',
      tag: 'Agents',
      summary: 'Send an MCP message',
      description: 'The Model Context Protocol over Streamable HTTP, without sessions: see [Agents](../agents.md).',
      need: { scope: 'query' },
      request,
      shipper: true,
      errorForm: mcpErrors,
      limitFamily: 'Query',
      responses: {
        200: { description: 'The response to the message.', mediaTypes: ['application/json', 'text/event-stream'] },
        202: { description: 'The notification was received.' },
      },
      handle: (call: McpCall) => answer(call, service, version),
    }),
  ];
}

async function answer(call: McpCall, service: QueryService, version: string) {
  checkOrigin(call, service);
  const context: AgentContext = {
    call,
    service,
    agent: agentName(call.body, call.headers['user-agent']),
    consoleUrl: consoleUrlOf(call, service),
  };
  const handler = createMcpHandler(() => mcpServer(context, version), {
    responseMode: 'json',
    onerror: (error) => call.log.debug({ err: error }, 'an MCP message was rejected'),
  });
  // The body has been read and checked; the handler only needs the headers of the protocol.
  const message = new Request('http://millrace/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...Object.fromEntries(
        passed.flatMap((name) => (call.headers[name] === undefined ? [] : [[name, call.headers[name]]])),
      ),
    },
    body: call.text,
    signal: call.abort.signal,
  });
  const reply = await handler.fetch(message, { parsedBody: call.body });
  call.log.debug({ agent: context.agent }, 'an agent sent an MCP message');
  const mediaType = reply.headers.get('content-type') ?? 'application/json';
  return bytes(await reply.text(), mediaType, reply.status);
}

/**
 * Rejects pages of other origins: a page that resolves its own name to this server must not reach
 * it.
 */
function checkOrigin({ headers: { origin, host } }: McpCall, { settings }: QueryService): void {
  if (origin === undefined || settings.corsOrigins.includes('*') || settings.corsOrigins.includes(origin)) return;
  const own = URL.canParse(origin) ? new URL(origin).host : '';
  if (own !== host) throw httpError('forbidden', { need: 'an origin that MILLRACE_CORS_ORIGINS allows' });
}

/** Links go where people open the console: the configured address, or the one the agent uses. */
function consoleUrlOf({ headers: { host } }: McpCall, { settings }: QueryService): string | undefined {
  if (!settings.console) return undefined;
  if (settings.consoleUrl !== undefined) return settings.consoleUrl;
  const scheme = settings.tlsCert === undefined ? 'http' : 'https';
  return host === undefined ? undefined : `${scheme}://${host}`;
}
