import { Type } from 'typebox';
import type { RequestContext } from '@millrace/http/route';

const text = Type.Optional(Type.String());
/** Headers that the protocol reads; the others stay here. */
export const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
const headers = Type.Object({
  'mcp-protocol-version': text,
  'mcp-method': text,
  'mcp-name': text,
  'user-agent': text,
  origin: text,
  host: text,
});

/** The shape of a request with one message. */
export const mcpRequest = { headers, body: Type.Unknown() } as const;
export type McpCall = RequestContext<typeof mcpRequest>;
