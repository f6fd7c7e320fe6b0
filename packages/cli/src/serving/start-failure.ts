import { type Exit } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { messageOf } from '../system-errors.js';

/**
 * Error message of a failed start.
 * @param isMillrace whether the port is that of another Millrace server
 */
export const startFailure = (error: unknown, address: Address, isMillrace = false): Failure =>
  new Failure(exitOf(error), startProblem(error, address, isMillrace), { cause: error });

interface Address {
  readonly host: string;
  readonly port: number;
}

function startProblem(error: unknown, { host, port }: Address, isMillrace: boolean): string {
  switch (codeOf(error)) {
    case 'EADDRINUSE': {
      const who = isMillrace ? 'in use by a Millrace server; stop it' : 'already in use; stop the other process';
      return `port ${port} on ${host} is ${who} or use --port (0 picks a free port)`;
    }
    case 'EACCES':
      return isListening(error)
        ? `permission denied for port ${port}; use --port with a port above 1023`
        : `${messageOf(error)}; make it writable for this user, or choose another directory with --data-dir`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not a local address; use --host`;
    case 'io':
      return `${messageOf(error)}\nif the disk is in order, the data directory is in no place for files: choose another with --data-dir`;
    case 'corrupt':
      if (isOfEngine(error))
        return `files of the engine are damaged: ${detailOf(error)}\nput the named file back, or restore a backup`;
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

/** Damage in stored events, not in the log. */
const isOfEngine = (error: unknown): boolean => error instanceof Error && error.name === 'EngineError';

/** A right to listen is missing, not one to a file. */
const isListening = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'bind');

/** Exit by code of the error. */
const exits: Readonly<Record<string, Exit>> = {
  'clickhouse-away': 'unavailable',
  'database-away': 'unavailable',
  EACCES: 'blocked',
  EADDRINUSE: 'blocked',
  EADDRNOTAVAIL: 'blocked',
  ENOSPC: 'blocked',
  ENOTFOUND: 'blocked',
  EROFS: 'blocked',
  'disk-full': 'blocked',
  locked: 'blocked',
};

const exitOf = (error: unknown): Exit => exits[codeOf(error)] ?? 'failed';

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
