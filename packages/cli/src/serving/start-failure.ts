import { Failure } from '../failure.js';
import { messageOf } from '../system-errors.js';

/** Error message of a failed start. */
export const startFailure = (error: unknown, address: Address): Failure =>
  new Failure(isAway(error) ? 'unavailable' : 'failed', startProblem(error, address), {
    cause: error,
  });

interface Address {
  readonly host: string;
  readonly port: number;
}

function startProblem(error: unknown, { host, port }: Address): string {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is already in use; stop the other process or use --port (0 picks a free port)`;
    case 'EACCES':
      return `permission denied for port ${port}; use --port with a port above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not a local address; use --host`;
    case 'io':
      return `${messageOf(error)}\nif the disk is in order, the data directory is in no place for files: choose another with --data-dir`;
    case 'corrupt':
      return `${messageOf(error)}\nrun millrace log verify to inspect it and millrace log salvage to recover intact data`;
    case 'unavailable':
      return `the engine did not start: ${detailOf(error)}`;
    default:
      return messageOf(error);
  }
}

/** The engine's own message, which only the operator may see. */
const detailOf = (error: unknown): string =>
  error instanceof Error && 'detail' in error && typeof error.detail === 'string' ? error.detail : messageOf(error);

/** A dependency that may become available. */
const isAway = (error: unknown): boolean => codeOf(error) === 'clickhouse-away' || codeOf(error) === 'database-away';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
