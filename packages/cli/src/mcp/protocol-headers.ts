/** A JSON-RPC message, as far as the proxy reads it. */
export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly requestId?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

const versionMember = 'io.modelcontextprotocol/protocolVersion';

/**
 * Headers that repeat parts of a message for proxies. Since 2026-07-28 every message names its
 * version; before, the handshake determined it.
 * @param negotiated the version of the handshake
 */
export function protocolHeaders(message: Message, negotiated: string | undefined): Readonly<Record<string, string>> {
  const { method, params } = message;
  const own = params?._meta?.[versionMember];
  if (typeof own !== 'string') return negotiated === undefined ? {} : { 'mcp-protocol-version': negotiated };
  const name = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': own,
    ...(method !== undefined && { 'mcp-method': method }),
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  };
}

/** Other characters than printable ASCII are encoded, as the protocol says. */
const headerText = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
