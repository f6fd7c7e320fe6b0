import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configureCold, type ColdStorage } from './object-storage.js';
import { EngineError, engineErrorOf, meansExhausted } from './errors.js';
import { FrameSocket } from './frames.js';
import type { Log } from './log.js';
import type { AnswerHead, DetachLimits, FromChild, PoolName, Pong, ToChild } from './messages.js';
import { mainThreadOf } from './main-thread.js';
import { recordOwner } from './owner.js';
import { serverArguments } from './settings.js';

export interface ProcessOptions {
  readonly directory: string;
  readonly sessions: Readonly<Record<PoolName, number>>;
  readonly maxWaiting: number;
  readonly memoryBytes: number;
  readonly startMilliseconds: number;
  readonly hangMilliseconds: number;
  /**
   * How long a heartbeat query may go unanswered, or a canceled query occupy a session that cannot
   * be replaced, before the process is killed.
   */
  readonly stuckMilliseconds: number;
  readonly detach: DetachLimits;
  readonly cold?: ColdStorage | undefined;
  readonly log: Log;
}

/** Receives the messages of a call. Nothing follows `failed`. */
interface CallListener {
  answer(head: AnswerHead): void;
  /** Valid during the call only. */
  piece(bytes: Buffer): void;
  /** The statement was canceled, does not stop and no longer occupies a session. */
  detached(): void;
  failed(error: EngineError): void;
}

/**
 * The same path from src and from dist: always the built file, because a child process cannot run
 * TypeScript.
 */
const entry = fileURLToPath(new URL('../dist/child/main.js', import.meta.url));
const pingMilliseconds = 250;
/** Between pings while no statement runs: each one wakes two processes. */
const idlePingMilliseconds = 2000;
/** How long a process may be too busy to respond. */
const busyMilliseconds = 60_000;
/**
 * Threads of the child in addition to those of its sessions: for the file system and name lookup.
 */
const spareThreads = 4;
/**
 * How many characters of the process's output to keep, to explain a failed start: chDB gives the
 * reason only there.
 */
const keptOutput = 2000;

function spawnChild(
  { directory, sessions, detach }: ProcessOptions,
  more: Readonly<Record<string, string>>,
): ChildProcess {
  // The server's settings include secrets, so the child does not get them.
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== 'NODE_OPTIONS' && !name.startsWith('MILLRACE_')),
  );
  const threads = Object.values(sessions).reduce((sum, count) => sum + count, 1) + detach.max + spareThreads;
  return spawn(process.execPath, [entry], {
    cwd: directory,
    env: { ...environment, ...more, TZ: 'UTC', UV_THREADPOOL_SIZE: String(threads) },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
}

/** One run of the engine's process, from its start to its end. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #frames: FrameSocket<ToChild, FromChild>;
  readonly #options: ProcessOptions;
  readonly #calls = new Map<number, CallListener>();
  readonly #opening: Promise<void>;
  #handleOpen: () => void = () => undefined;
  #notOpened: (error: EngineError) => void = () => undefined;
  #nextCall = 1;
  #endReason: string | undefined;
  #watch: NodeJS.Timeout | undefined;
  #hasAnswered = true;
  #missedPings = 0;
  /** Whether the pings are those of a process without work. */
  #isIdle = false;
  /** How long a canceled statement has not stopped, milliseconds. */
  #cancelMilliseconds = 0;
  /** Processor time of the child's main thread at the last check. */
  #ticks = 0;
  #output = '';
  memoryBytes = 0;
  /** Canceled statements that the engine still works on, without a session. */
  detachedCount = 0;
  /** Resolves with the reason when the process has exited; by then every call has failed. */
  readonly exitReason: Promise<string>;

  private constructor(options: ProcessOptions, child: ChildProcess) {
    this.#options = options;
    this.#child = child;
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-keptOutput);
        options.log('warn', 'output of the engine process', { text });
      });
      // An unhandled error of the stream would end the server.
      stream.on('error', () => stream.destroy());
    }
    const socket = this.#child.stdio[3] as Socket;
    socket.on('error', () => socket.destroy());
    this.#frames = new FrameSocket(socket, {
      message: (call, message) => this.#receive(call, message),
      piece: (call, bytes) => {
        // Responses to pings queue after large results.
        this.#hasAnswered = true;
        this.#calls.get(call)?.piece(bytes);
      },
    });
    this.#opening = new Promise((resolve, reject) => {
      this.#handleOpen = resolve;
      this.#notOpened = reject;
    });
    this.#opening.catch(() => undefined);
    this.exitReason = new Promise((resolve) => {
      this.#child.on('error', (error) => (this.#endReason ??= error.message));
      // Not `exit`: by then the last output of the process may not have been read.
      this.#child.on('close', (code, signal) => resolve(this.#end(code, signal)));
    });
  }

  /**
   * Starts a process and opens the directory.
   * @param closing stops the attempt
   * @throws EngineError `unavailable` with the reason; the process has exited by then
   */
  static async start(options: ProcessOptions, closing: AbortSignal): Promise<EngineProcess> {
    if (closing.aborted) throw new EngineError('unavailable', 'closed');
    mkdirSync(options.directory, { recursive: true });
    const cold = options.cold === undefined ? undefined : configureCold(options.directory, options.cold);
    const child = spawnChild(options, cold?.environment ?? {});
    // Without free file descriptors the child has no streams at all, and its only event is the
    // error.
    if (!child.stdio) throw new EngineError('unavailable', String((await once(child, 'error'))[0]));
    const started = new EngineProcess(options, child);
    const late = setTimeout(() => started.kill('it did not open its data in time'), options.startMilliseconds);
    const stop = () => started.kill('closed');
    closing.addEventListener('abort', stop, { once: true });
    try {
      started.#open(cold === undefined ? [] : cold.arguments);
      await started.#opening;
    } catch (error) {
      started.kill('it could not open its data');
      await started.exitReason;
      const reason = error instanceof EngineError ? error.detail : String(error);
      throw new EngineError('unavailable', `${reason} ${started.#output}`.trim());
    } finally {
      clearTimeout(late);
      closing.removeEventListener('abort', stop);
    }
    started.#watchOver();
    return started;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  #open(more: readonly string[]): void {
    const { directory, memoryBytes, sessions, maxWaiting, detach } = this.#options;
    const { pid } = this.#child;
    if (pid !== undefined) {
      recordOwner(directory, pid);
      // When the machine runs out of memory, the engine should be killed first: it is restarted,
      // and everything acknowledged is durable elsewhere.
      writeFile(`/proc/${pid}/oom_score_adj`, '500').catch(() => undefined);
    }
    const path = join(directory, 'clickhouse');
    const args = [...serverArguments(memoryBytes), ...more];
    this.#frames.send(0, { type: 'open', path, arguments: args, sessions, maxWaiting, detach });
  }

  /** Begins a statement; returns the call's number, for `cancel` and `forget`. */
  begin(request: Extract<ToChild, { readonly type: 'run' }>, listener: CallListener): number {
    const call = this.#nextCall++;
    this.#calls.set(call, listener);
    if (this.#isIdle) this.#watchOver();
    this.#frames.send(call, request);
    return call;
  }

  cancel(call: number): void {
    this.#frames.send(call, { type: 'cancel' });
  }

  forget(call: number): void {
    this.#calls.delete(call);
  }

  kill(reason: string): void {
    this.#endReason ??= reason;
    this.#child.kill('SIGKILL');
  }

  /**
   * Ends the process in order: waits for running work, cancels it when the time is up, and kills
   * the process only if it does not end even then.
   */
  async close(waitMilliseconds: number, killMilliseconds: number): Promise<void> {
    this.#endReason ??= 'closed';
    clearTimeout(this.#watch);
    this.#frames.send(0, { type: 'close', waitMilliseconds });
    const late = setTimeout(() => this.kill('it did not end in time'), waitMilliseconds + killMilliseconds);
    await this.exitReason;
    clearTimeout(late);
  }

  #receive(call: number, message: FromChild): void {
    const listener = this.#calls.get(call);
    switch (message.type) {
      case 'opened':
        return this.#handleOpen();
      case 'pong':
        return this.#pong(message);
      case 'answer':
        return listener?.answer(message);
      case 'detached':
        this.#options.log('warn', 'a canceled query did not stop; replaced its session', {});
        return listener?.detached();
      case 'failed':
        if (call === 0) this.#notOpened(new EngineError('unavailable', message.text));
        this.#calls.delete(call);
        listener?.failed(engineErrorOf(message.text));
        if (meansExhausted(message.text)) this.kill('it ran out of memory');
    }
  }

  /**
   * A hanging process is worse than an exited one. Silence is counted in pings, not in time, so
   * that a parent that was itself busy or stopped does not kill its child. A process whose main
   * thread works, or waits for a processor or for memory, is busy, not hanging: receiving large
   * results keeps it from responding.
   */
  #watchOver(): void {
    const isIdle = this.#calls.size === 0 && this.#missedPings === 0 && this.#cancelMilliseconds === 0;
    const every = isIdle ? idlePingMilliseconds : pingMilliseconds;
    const since = performance.now();
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      if (this.#hasAnswered || performance.now() - since > every + pingMilliseconds) this.#missedPings = 0;
      else this.#missedPings += 1;
      const silent = this.#missedPings * pingMilliseconds;
      const isBusy = this.#isBusy();
      if (silent >= this.#options.hangMilliseconds && (!isBusy || silent >= busyMilliseconds))
        this.kill('it did not answer its heartbeat');
      this.#hasAnswered = false;
      this.#frames.send(0, { type: 'ping' });
      this.#watchOver();
    }, every).unref();
    this.#isIdle = isIdle;
  }

  #isBusy(): boolean {
    if (this.#missedPings === 0) return true;
    const thread = mainThreadOf(this.pid);
    if (thread === undefined) return false;
    const worked = thread.ticks > this.#ticks;
    this.#ticks = thread.ticks;
    return worked || thread.state === 'R' || thread.state === 'D';
  }

  #pong(pong: Pong): void {
    this.#hasAnswered = true;
    this.memoryBytes = pong.memoryBytes;
    this.detachedCount = pong.detached;
    this.#cancelMilliseconds = pong.cancelMilliseconds;
    if (pong.heartbeatMilliseconds > this.#options.stuckMilliseconds) this.kill('its sessions did not answer');
    if (pong.cancelMilliseconds > this.#options.stuckMilliseconds)
      this.kill('too many canceled statements did not stop');
  }

  #end(code: number | null, signal: NodeJS.Signals | null): string {
    clearTimeout(this.#watch);
    this.memoryBytes = 0;
    const how = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
    const reason = this.#endReason ?? how;
    const error = new EngineError('unavailable', `the engine process is gone: ${reason}`);
    this.#notOpened(error);
    for (const listener of this.#calls.values()) listener.failed(error);
    this.#calls.clear();
    return reason;
  }
}
