import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A running `millrace demo` with what it printed. */
export interface RunningDemo {
  readonly url: string;
  readonly token: string;
  /** The link that signs a browser in and opens the dashboard. */
  readonly link: string;
  readonly dataDirectory: string;
  /** Sends SIGINT as Ctrl-C does, to all processes of the command, and waits for its end. */
  readonly stop: () => Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
  /** Ends what is left of it. */
  readonly kill: () => void;
}

/**
 * Runs `command` with `args` and `demo`, and waits until all demo resources exist.
 * @throws Error if it ends before
 */
export async function startDemo(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<RunningDemo> {
  const child = spawn(command, [...args, 'demo', '--rate', '1'], {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = (): void => {
    if (!hasEnded()) process.kill(-child.pid!, 'SIGKILL');
  };
  try {
    let printed = '';
    for await (const line of createInterface(child.stdout)) {
      printed += `${line}\n`;
      if (line.startsWith('  Stop')) break;
    }
    const [, url, token] = /MILLRACE_URL=(\S+) MILLRACE_TOKEN=(\S+)/.exec(printed) ?? [];
    const [, dataDirectory] = /Data +(\S+)/.exec(printed) ?? [];
    const [link] = /http\S+#code=\S+/.exec(printed) ?? [];
    if (url === undefined || token === undefined || dataDirectory === undefined || link === undefined)
      throw new Error(`the demo printed ${printed}`);
    const stop = async (): Promise<readonly [number | null, NodeJS.Signals | null]> => {
      const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      process.kill(-child.pid!, 'SIGINT');
      return ended;
    };
    return { url, token, link, dataDirectory, stop, kill };
  } catch (error) {
    kill();
    throw error;
  }
}
