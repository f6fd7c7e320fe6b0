import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Where an agent reads and sends. */
export interface Place {
  readonly host: string;
  /** Of HTTP, and of the listener for syslog. */
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
  /** Whether the program is on this machine; says so if it is not. */
  isHere(): Promise<boolean>;
  /** Writes its files; returns how it is started. */
  command(place: Place): Command;
  /** What an input line for this message is, if not the message. */
  line?(message: string, dataset: string): string;
  /** The field that the message becomes, if not `message`. */
  readonly field?: string;
  /** Whether lines name their datasets, so that one of them can be wrong. */
  readonly namesDatasets?: true;
  /**
   * Whether it sends over HTTP, where a server that is full says so and what is delivered is
   * answered. Syslog can say neither.
   */
  readonly isAnswered: boolean;
  /**
   * It throws away what a server refuses, with whatever status: only a server that is not there
   * makes it wait.
   */
  readonly dropsRefused?: true;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Running {
  /** What it printed last. */
  readonly printed: () => string;
  kill(): Promise<void>;
}

export function start({ program, args, env }: Command): Running {
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
