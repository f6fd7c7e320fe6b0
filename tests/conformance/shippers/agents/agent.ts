import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Where an agent reads and sends. */
export interface Place {
  readonly host: string;
  /** Ports of HTTP and of the syslog listener. */
  readonly ports: { readonly http: number; readonly syslog: number };
  readonly token: string;
  readonly dataset: string;
  /** A file that lines are appended to. */
  readonly input: string;
  /** For its files and its memory. */
  readonly directory: string;
}

/** A program that follows a file and sends its lines. */
export interface Agent {
  /** Whether the program is installed; prints a message if not. */
  isHere(): Promise<boolean>;
  /** Writes its files; returns how it is started. */
  command(place: Place): Command;
  /** The input line for a message, if it differs from the message. */
  line?(message: string, dataset: string): string;
  /** The field that the message becomes, if not `message`. */
  readonly field?: string;
  /** Whether lines name their datasets, so that one of them can be invalid. */
  readonly namesDatasets?: true;
  /**
   * Whether it sends over HTTP, where a full server can reject requests and delivery is
   * acknowledged. Syslog has neither.
   */
  readonly isAnswered: boolean;
  /**
   * It drops events that a server rejects with any status, and retries only while the server is
   * unreachable.
   */
  readonly dropsRefused?: true;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningAgent {
  /** Its recent output. */
  readonly printed: () => string;
  kill(): Promise<void>;
}

export function start({ program, args, env }: Command): RunningAgent {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const note = (piece: Buffer): void => void (printed = `${printed}${piece.toString()}`.slice(-3000));
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const ended = once(child, 'exit');
  return {
    printed: () => printed,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
