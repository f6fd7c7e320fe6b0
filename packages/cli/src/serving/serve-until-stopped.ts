import type { readSettings } from '@millrace/server';
import { limitHeapGrowth, collectGarbageWhenIdle } from '../memory/collect.js';
import type { Io } from '../io.js';
import { usage } from '../failure.js';
import { keepFilesPrivate } from '../private-files.js';
import { LogOutput } from './log-output.js';
import { formatLogLine } from './readable-log.js';
import { reportSlowStart } from './slow-start.js';
import { requireStartable } from './require-startable.js';
import { startFailure } from './start-failure.js';
import { writeNow } from './write-now.js';

type Read = Extract<ReturnType<typeof readSettings>, { readonly ok: true }>;

interface StartedServer {
  readonly url: string;
  /** The owner's token, if created at this start. */
  readonly secret: string | undefined;
  /** Creates a sign-in link for one browser. */
  readonly signInLink: () => Promise<string | undefined>;
}

interface ServeOptions extends Pick<Read, 'settings' | 'where'> {
  readonly io: Pick<Io, 'err'>;
  /** How to choose another data directory. Default: with a flag. */
  readonly elsewhere?: string;
  /**
   * Called at once with a token created at this start, which is valid from then on and not shown
   * again. Returns whether it could be shown.
   */
  readonly showToken: (secret: string) => boolean;
  /**
   * Called when the server listens. The signal aborts at shutdown, which waits for this to resolve.
   */
  readonly ready: (served: StartedServer, stopping: AbortSignal) => Promise<void>;
}

/**
 * Runs a server until SIGTERM or Ctrl-C.
 * @throws Failure with a remedy when it cannot start
 */
export async function serveUntilStopped({
  settings,
  where,
  io,
  elsewhere,
  showToken,
  ready,
}: ServeOptions): Promise<void> {
  limitHeapGrowth();
  const [{ SettingError, startServer }, { pino }] = await Promise.all([import('@millrace/server'), import('pino')]);
  keepFilesPrivate();
  await requireStartable(settings, elsewhere);
  const output: LogOutput = new LogOutput(process.stderr.fd, (lines) =>
    logger.warn({ lines }, 'log lines dropped: stderr was not writable'),
  );
  process.once('exit', () => output.writeLast());
  const logger = pino(
    {
      level: settings.logLevel,
      base: null,
      // Self-describing lines: levels as words, times as text.
      formatters: { level: (level) => ({ level }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    io.err.terminal ? { write: (line: string) => output.write(formatLogLine(line, io.err.color)) } : output,
  );
  const started = reportSlowStart(logger);
  let secret: string | undefined;
  const server = await startServer({
    settings,
    logger,
    showToken: (made) => {
      const shown = showToken(made);
      if (shown) secret = made;
      return shown;
    },
    lostLogLines: () => output.lost,
  })
    .finally(started)
    .catch((error: unknown) => {
      if (error instanceof SettingError) throw usage(`${where(error.setting)}: ${error.problem}`);
      throw startFailure(error, settings);
    });
  // Registered before the banner: a user may stop the server at once.
  const stopped = stopSignal();
  const stopping = new AbortController();
  const done = ready({ url: server.url, secret, signInLink: () => server.signInLink() }, stopping.signal);
  try {
    collectGarbageWhenIdle();
    const signal = await Promise.race([stopped, done.then(() => stopped)]);
    logger.info({ signal }, 'shutting down: draining requests; send the signal again to exit immediately');
  } finally {
    stopping.abort();
    await done.catch(() => undefined);
    const began = performance.now();
    await server.stop();
    logger.info({ seconds: Math.round(performance.now() - began) / 1000 }, 'stopped');
  }
}

/**
 * Prints to standard output. Returns false if it cannot be written; the server continues without a
 * reader.
 */
export const announce = (text: string): boolean => writeNow(process.stdout.fd, text);

/** The first stop signal. A second one, of either kind, ends the process. */
function stopSignal(): Promise<NodeJS.Signals> {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      for (const each of signals) process.off(each, stop);
      resolve(signal);
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
