import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** The server under test: `millrace serve` in a separate process that may be killed at any time. */

const token = 'xapt-00000000-0000-4000-8000-000000000001';
const startMilliseconds = 60_000;
/** Startup timeout of servers that wait for other servers. */
const patientMilliseconds = 180_000;

export interface ServerOptions {
  /** The built command. */
  readonly command: string;
  readonly directory: string;
  /** Settings other than the defaults, as environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
}

interface Init {
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One life of the server. */
export class Server {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #url: string | undefined;
  #output = '';
  /** Whether a request that gets a 503 is retried, for as long as a server may take to recover. */
  isPatient = false;
  /** Resolves with true when it serves, with false if it ended before. */
  readonly ready: Promise<boolean>;

  constructor({ command, directory, settings }: ServerOptions) {
    this.#child = spawn(process.execPath, [command, 'serve'], {
      env: {
        ...process.env,
        ...settings,
        MILLRACE_PORT: '0',
        MILLRACE_DATA_DIR: directory,
        MILLRACE_ADMIN_TOKEN: token,
        MILLRACE_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A new process group, so that Ctrl-C reaches only the campaign.
      detached: true,
    });
    const kill = (): boolean => this.#child.kill('SIGKILL');
    process.once('exit', kill);
    this.#child.once('exit', () => process.off('exit', kill));
    this.#exit = once(this.#child, 'exit');
    this.#child.stderr!.on('data', (chunk: Buffer) => {
      this.#output = `${this.#output}${chunk.toString()}`.slice(-4000);
    });
    this.ready = new Promise((resolve) => {
      const late = setTimeout(() => resolve(false), patientMilliseconds);
      void this.#exit.then(() => resolve(false)).finally(() => clearTimeout(late));
      createInterface(this.#child.stdout!).on('line', (line) => {
        this.#url ??= /https?:\/\/[\w.:[\]-]+/.exec(line)?.[0];
        if (this.#url !== undefined) resolve(true);
      });
    });
  }

  /** The end of its standard error output. */
  get printed(): string {
    return this.#output;
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Where it serves; empty while it does not. */
  get url(): string {
    return this.#url ?? '';
  }

  /** The process id of the server. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The process ID of the engine; undefined while it is not running. */
  enginePid(): number | undefined {
    const pid = this.#child.pid;
    if (pid === undefined) return undefined;
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
      return children === '' ? undefined : Number(children.split(' ')[0]);
    } catch {
      return undefined;
    }
  }

  /** Sends a signal to the engine's process; returns whether there was one. */
  signalEngine(signal: NodeJS.Signals): boolean {
    const pid = this.enginePid();
    try {
      return pid !== undefined && process.kill(pid, signal);
    } catch {
      return false;
    }
  }

  /** Sends SIGKILL and waits. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  /** Sends SIGTERM and waits; returns the exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#exit;
    return this.#child.exitCode;
  }

  /** @throws TypeError of `fetch` when the server is not there, or ends during the request */
  async request(path: string, init: Init = {}): Promise<Answer> {
    let answer = await this.#fetch(path, init);
    for (const late = performance.now() + startMilliseconds; this.isPatient && answer.status === 503;) {
      if (performance.now() > late) break;
      await sleep(250);
      answer = await this.#fetch(path, init);
    }
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Returns the response of a path as text. */
  async text(path: string): Promise<string> {
    return (await this.#fetch(path, {})).text();
  }

  #fetch(path: string, init: Init): Promise<Response> {
    return fetch(this.url + path, {
      method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
      ...(init.body !== undefined && { body: init.body }),
    });
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}
