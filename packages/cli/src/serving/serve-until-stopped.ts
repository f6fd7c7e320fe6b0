import type { readSettings } from '@millrace/server';
import { boundGarbage, collectAtRest } from '../memory/collect.js';
import type { Io } from '../io.js';
import { usage } from '../failure.js';
import { keepFilesPrivate } from '../private-files.js';
import { LogOutput } from './log-output.js';
import { readable } from './readable-log.js';
import { requireWritable } from './require-writable.js';
import { startFailure } from './start-failure.js';
import { writeNow } from './write-now.js';

type Read = Extract<ReturnType<typeof readSettings>, { readonly ok: true }>;

interface Served {
  readonly url: string;
  /** The owner's token, if it was made at this start. */
  readonly secret: string | undefined;
  /** Makes a link that signs one browser in. */
  readonly signInLink: () => Promise<string | undefined>;
}

interface Serving extends Pick<Read, 'settings' | 'where'> {
  readonly io: Pick<Io, 'err'>;
  /**
   * Called with a token made at this start, at once: it is valid from then on, and not shown again.
   * Returns whether it could be shown.
   */
  readonly showToken: (secret: string) => boolean;
  /**
   * Called when the server listens. The signal is aborted when it is to stop, and the server waits
   * for this to end.
   */
  readonly ready: (served: Served, stopping: AbortSignal) => Promise<void>;
}

/**
 * Runs a server until SIGTERM or Ctrl-C.
 * @throws Failure when it cannot start, saying what to do
 */
export async function serveUntilStopped({ settings, where, io, showToken, ready }: Serving): Promise<void> {
  boundGarbage();
  const [{ SettingError, startServer }, { pino }] = await Promise.all([import('@millrace/server'), import('pino')]);
  keepFilesPrivate();
  await requireWritable(settings.dataDir);
  const output: LogOutput = new LogOutput(process.stderr.fd, (lines) =>
    logger.warn({ lines }, 'lines of this log are missing here: they could not be written'),
  );
  process.once('exit', () => output.writeLast());
  const logger = pino(
    {
      level: settings.logLevel,
      base: null,
      // Readable without a table, by people and log collectors: levels as words, and times as text.
      formatters: { level: (level) => ({ level }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    io.err.terminal ? { write: (line: string) => output.write(readable(line, io.err.color)) } : output,
  );
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
  }).catch((error: unknown) => {
    if (error instanceof SettingError) throw usage(`${where(error.setting)}: ${error.problem}`);
    throw startFailure(error, settings);
  });
  // Whoever reads the greeting may stop the server at once.
  const stopped = stopSignal();
  const stopping = new AbortController();
  const done = ready({ url: server.url, secret, signInLink: () => server.signInLink() }, stopping.signal);
  try {
    collectAtRest();
    const signal = await Promise.race([stopped, done.then(() => stopped)]);
    logger.info(
      { signal },
      'stopping: running requests finish first; a second signal ends the process at once, which loses nothing that was acknowledged',
    );
  } finally {
    stopping.abort();
    await done.catch(() => undefined);
    const began = performance.now();
    await server.stop();
    logger.info(
      { seconds: Math.round(performance.now() - began) / 1000 },
      'stopped: everything acknowledged is stored',
    );
  }
}

/**
 * Says something on standard output; returns whether it could be written. A server runs on without
 * its readers.
 */
export const announce = (text: string): boolean => writeNow(process.stdout.fd, text);

/** The first signal to stop. The next one ends the process, whichever of them it is. */
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
