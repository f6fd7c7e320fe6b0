import type { Client } from '../connection/client.js';
import type { Exit } from '../exit-codes.js';
import type { Io } from '../io.js';
import type { Options, ValueOf } from './option.js';

/**
 * Command definitions. Parsing, `--help`, docs/cli.md and did-you-mean derive from these records.
 */

interface Argument {
  readonly doc: string;
  readonly optional?: true;
}

type Arguments = Readonly<Record<string, Argument>>;

interface Example {
  readonly command: string;
  readonly doc: string;
}

/** A parsed call of a command. */
interface Call<A extends Arguments = Arguments, O extends Options = Options> {
  readonly args: { readonly [K in keyof A]: A[K] extends { readonly optional: true } ? string | undefined : string };
  readonly options: { readonly [K in keyof O]: ValueOf<O[K]> };
  readonly io: Io;
  /**
   * Client for the server that `--url` or the environment names.
   * @throws Failure `usage` without a token
   */
  connect(): Client;
}

export interface Command {
  /** Words that call the command: `dataset create`. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly args: Arguments;
  readonly options: Options;
  /** Connects to a server and accepts `--url`, `--token` and `--org`. */
  readonly remote: boolean;
  readonly examples: readonly Example[];
  /** The command parses its own flags and gets the words after its name unchanged. */
  readonly raw?: { readonly listed: () => Promise<readonly (readonly [flag: string, doc: string])[]> };
  run(call: Call & { readonly rest: readonly string[] }): Promise<Exit>;
}

type CommandDeclaration<A extends Arguments, O extends Options> = Omit<
  Command,
  'args' | 'options' | 'remote' | 'run'
> & {
  readonly args?: A;
  readonly options?: O;
  readonly remote?: true;
  run(call: Call<A, O> & { readonly rest: readonly string[] }): Promise<Exit>;
};

/** Declares a command; the types of its arguments and options determine the type of `run`. */
export function command<const A extends Arguments = {}, const O extends Options = {}>(
  declared: CommandDeclaration<A, O>,
): Command {
  // Safe: `parse` builds the call from these records, so a `Call` is a `Call<A, O>`.
  return { args: {}, options: {}, remote: false, ...declared } as unknown as Command;
}
