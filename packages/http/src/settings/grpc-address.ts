/** Address of a gRPC listener; port 0 picks a free one. */
export interface GrpcAddress {
  readonly host: string;
  readonly port: number;
}

const loopback = '127.0.0.1';
const pattern = /^(?:(\[[0-9a-f:]+\]|[\w.-]+):)?(\d{1,5})$/i;

/**
 * Parses `4317`, which means loopback, or `0.0.0.0:4317`.
 * @returns undefined if the text is invalid
 */
export function parseGrpcAddress(text: string): GrpcAddress | undefined {
  const match = pattern.exec(text);
  if (match === null || Number(match[2]) > 65_535) return undefined;
  const [, host = loopback, port] = match;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
