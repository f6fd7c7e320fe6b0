import { route, type Route } from '@millrace/http/route';
import type { QueryService } from '@millrace/query/service';
import { CallsInFlight } from './calls-in-flight.js';
import { mcpErrors } from './mcp-errors.js';
import { type McpCall, mcpRequest } from './mcp-request.js';

/** MCP over Streamable HTTP, without sessions: each message is a request of its own. */

/** @param version of the server */
export function mcpRoutes(service: QueryService, version: string): readonly Route[] {
  if (!service.settings.mcp) return [];
  const calls = new CallsInFlight();
  return [
    route({
      method: 'POST',
      path: '/mcp',
      operation: 'mcp',
      tag: 'Agents',
      summary: 'Send an MCP message',
      description: 'The Model Context Protocol over Streamable HTTP, without sessions: see [Agents](../agents.md).',
      need: { scope: 'query' },
      request: mcpRequest,
      shipper: true,
      errorForm: mcpErrors,
      limitFamily: 'Query',
      responses: {
        200: { description: 'The response to the message.', mediaTypes: ['application/json', 'text/event-stream'] },
        202: { description: 'The notification was received.' },
      },
      // Loaded with the first message: the library takes 0.1 s to load.
      handle: async (call: McpCall) => {
        const { handleMessage } = await import('./handle-message.js');
        return handleMessage(call, { service, version, calls });
      },
    }),
  ];
}
