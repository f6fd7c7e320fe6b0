import { Failure } from '../failure.js';
import { messageOf } from '../system-errors.js';

/** What an operator is told when a start fails. */
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
      return `port ${port} of ${host} is in use; stop what listens there, or choose another with --port (0 takes any free one)`;
    case 'EACCES':
      return `this user may not listen on port ${port}; choose one above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine; choose another with --host`;
    case 'io':
      return `${messageOf(error)}\nif the disk is in order, the data directory is in no place for files: choose another with --data-dir`;
    case 'corrupt':
      return `${messageOf(error)}\nmillrace log verify shows the damage, millrace log salvage saves what is intact`;
    case 'unavailable':
      return `the engine did not start: ${detailOf(error)}`;
    default:
      return messageOf(error);
  }
}

/** The engine's own message, which only the operator may see. */
const detailOf = (error: unknown): string =>
  error instanceof Error && 'detail' in error && typeof error.detail === 'string' ? error.detail : messageOf(error);

/** What the server depends on may be there later. */
const isAway = (error: unknown): boolean => codeOf(error) === 'clickhouse-away' || codeOf(error) === 'database-away';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
