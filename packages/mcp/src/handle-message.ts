import { createMcpHandler } from '@modelcontextprotocol/server';
import { httpError } from '@millrace/api/errors';
import { bytes, type RouteResponse } from '@millrace/http/route';
import type { QueryService } from '@millrace/query/service';
import { agentName } from './agent-name.js';
import type { CallsInFlight } from './calls-in-flight.js';
import type { AgentContext } from './context.js';
import { type McpCall, protocolHeaders } from './mcp-request.js';
import { mcpServer } from './mcp-server.js';

interface McpParts {
  readonly service: QueryService;
  readonly version: string;
  readonly calls: CallsInFlight;
}

/** Answers one message of an agent. */
export async function handleMessage(call: McpCall, { service, version, calls }: McpParts): Promise<RouteResponse> {
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
        protocolHeaders.flatMap((name) => (call.headers[name] === undefined ? [] : [[name, call.headers[name]]])),
      ),
    },
    body: call.text(),
    signal: call.abort.signal,
  });
  const { principal, abort, body } = call;
  const reply = await calls.run({ principal, abort, body }, context.agent, () =>
    handler.fetch(message, { parsedBody: body }),
  );
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
