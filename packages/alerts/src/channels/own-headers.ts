/** Headers that frame a request or name its host, and those of one hop: the sender sets them. */
const headersOfConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether a user may set a header of a webhook. */
export const isCustomHeader = (name: string): boolean => !headersOfConnection.has(name.toLowerCase());
