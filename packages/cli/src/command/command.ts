import type { Client } from '../connection/client.js';
import type { Exit } from '../exit-codes.js';
import type { Io } from '../io.js';
import type { Options, ValueOf } from './option.js';

/** What a command is. Parsing, `--help`, docs/cli.md and did-you-mean derive from these records. */

interface Argument {
  readonly doc: string;
  readonly optional?: true;
}

type Arguments = Readonly<Record<string, Argument>>;

interface Example {
  readonly command: string;
  readonly doc: string;
}

/** One call of a command: arguments and options as declared, parsed. */
interface Call<A extends Arguments = Arguments, O extends Options = Options> {
  readonly args: { readonly [K in keyof A]: A[K] extends { readonly optional: true } ? string | undefined : string };
  readonly options: { readonly [K in keyof O]: ValueOf<O[K]> };
  readonly io: Io;
  /**
   * The server that `--url` or the environment names.
   * @throws Failure `usage` when there is no token
   */
  connect(): Client;
}

export interface Command {
  /** The words by which it is called: `dataset create`. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly args: Arguments;
  readonly options: Options;
  /** Talks to a server: takes `--url`, `--token` and `--org` too. */
  readonly remote: boolean;
  readonly examples: readonly Example[];
  /** The command parses its flags itself: it gets the words after its name unchanged. */
  readonly raw?: { readonly listed: () => Promise<readonly (readonly [flag: string, doc: string])[]> };
  run(call: Call & { readonly rest: readonly string[] }): Promise<Exit>;
}

type Declared<A extends Arguments, O extends Options> = Omit<Command, 'args' | 'options' | 'remote' | 'run'> & {
  readonly args?: A;
  readonly options?: O;
  readonly remote?: true;
  run(call: Call<A, O> & { readonly rest: readonly string[] }): Promise<Exit>;
};

/** Declares a command; its `run` is typed by the arguments and options. */
export function command<const A extends Arguments = {}, const O extends Options = {}>(
  declared: Declared<A, O>,
): Command {
  // `parse` makes the call from these very records, which makes a `Call` a `Call<A, O>`.
  return { args: {}, options: {}, remote: false, ...declared } as unknown as Command;
}
