import { cut, escapeInvisible } from './answer/cell.js';

const longest = 80;

/**
 * The name of the program that sent a message: as it introduces itself, or else its `User-Agent`.
 */
export function agentName(message: unknown, userAgent: string | undefined): string {
  const parameters = memberOf(message, 'params');
  const introduced =
    memberOf(memberOf(parameters, '_meta'), 'io.modelcontextprotocol/clientInfo') ?? memberOf(parameters, 'clientInfo');
  const name = memberOf(introduced, 'name');
  return cut(escapeInvisible(typeof name === 'string' && name !== '' ? name : (userAgent ?? 'unknown')), longest);
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
