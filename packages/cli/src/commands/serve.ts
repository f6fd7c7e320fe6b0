import type { SettingRecord } from '@millrace/server';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { command } from '../command/command.js';
import { printed } from '../command/option.js';
import { clientVariables } from '../connection/options.js';
import { Failure, usage } from '../failure.js';
import { problemOf } from '../system-errors.js';
import { collectAtRest, collectRarely } from '../memory/collect.js';
import { keepFilesPrivate } from '../private-files.js';
import { greeting } from '../serving/greeting.js';
import { LogOutput } from '../serving/log-output.js';
import { readable } from '../serving/readable-log.js';
import { startFailure } from '../serving/start-failure.js';
import { writeNow } from '../serving/write-now.js';

export const serve = command({
  name: 'serve',
  summary: 'Run the server until SIGTERM or Ctrl-C.',
  description:
    'Every setting is a flag and an environment variable; docs/settings.md lists them all with their reasons. Logs go to ' +
    'standard error, as JSON unless that is a terminal; the address, a link to sign in with and, at the first start, the token go to standard output.',
  examples: [
    { command: 'millrace serve', doc: 'On this machine only, data in ./data' },
    { command: 'millrace serve --host 0.0.0.0 --port 80 --data-dir /var/lib/millrace', doc: 'For everybody' },
  ],
  raw: {
    listed: async () => {
      const { flagOf, settingsTable } = await import('@millrace/server');
      return Object.entries(settingsTable).map(
        ([name, setting]) => [`${flagOf(name)}${valueText(setting)}`, `${setting.doc}${defaultText(setting)}`] as const,
      );
    },
  },
  run: async ({ rest, io }) => {
    // The arguments of a process are there for every user of the machine to read, and a flag may have been a secret.
    process.title = 'millrace serve';
    collectRarely();
    const [{ readSettings, SettingError, startServer }, { pino }] = await Promise.all([
      import('@millrace/server'),
      import('pino'),
    ]);
    const read = readSettings(settingsIn(io.env), rest);
    if (!read.ok) throw usage(read.errors.join('\nmillrace: '));
    const { settings, where } = read;
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
    // Shown at once: the token is valid from here on, and is never shown again.
    const showToken = (made: string): boolean => {
      const shown = announce(`Your token, shown this once: ${made}\n`);
      if (shown) secret = made;
      return shown;
    };
    const server = await startServer({ settings, logger, showToken, lostLogLines: () => output.lost }).catch(
      (error: unknown) => {
        if (error instanceof SettingError) throw usage(`${where(error.setting)}: ${error.problem}`);
        throw startFailure(error, settings);
      },
    );
    // Whoever reads the greeting may stop the server at once.
    const stopped = stopSignal();
    // In a terminal every start is somebody's who may want to look; elsewhere a link would lie about in a log.
    const link = io.out.terminal || secret !== undefined ? await server.signInLink() : undefined;
    announce(greeting({ url: server.url, secret, link, dataDir: settings.dataDir }));
    collectAtRest();
    const signal = await stopped;
    logger.info(
      { signal },
      'stopping: running requests finish first; a second signal ends the process at once, which loses nothing that was acknowledged',
    );
    const began = performance.now();
    await server.stop();
    logger.info(
      { seconds: Math.round(performance.now() - began) / 1000 },
      'stopped: everything acknowledged is stored',
    );
    return 'done';
  },
});

/** Says something on standard output; returns whether it could be written. A server runs on without its readers. */
const announce = (text: string): boolean => writeNow(process.stdout.fd, text);

/** The placeholder after a flag, written as for other commands; empty for a switch. */
function valueText(setting: SettingRecord): string {
  switch (setting.type) {
    case 'boolean':
      return '';
    case 'choice':
      return ` ${setting.choices.join('|')}`;
    case 'integer':
      return ' N';
    case 'bytes':
      return ' SIZE';
    case 'text':
    case 'list':
    case 'duration':
      return ` ${setting.type.toUpperCase()}`;
  }
}

/** ` Default: 30s.`, or nothing for a setting that is off until it is set. */
function defaultText({ type, default: value }: { readonly type: string; readonly default?: unknown }): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  if (typeof value !== 'number') return ` Default: ${String(value)}.`;
  const option = type === 'bytes' ? 'size' : type === 'duration' ? 'duration' : 'integer';
  return ` Default: ${printed({ type: option }, value)}.`;
}

/** The environment without the variables that the same shell may export for the other commands: they are no settings of the server. */
function settingsIn(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | undefined>> {
  const clients: readonly string[] = clientVariables;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !clients.includes(name)));
}

/** @throws Failure that says what to do */
async function requireWritable(dataDir: string): Promise<void> {
  const path = resolve(dataDir);
  try {
    const { nodeFileSystem } = await import('@millrace/log');
    await nodeFileSystem.makeDirectory(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const isFile = error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOTDIR');
    const why = isFile ? 'it, or what it should be in, is a file:' : 'make it writable for this user, or';
    throw new Failure(
      'failed',
      `the data directory ${path} cannot be used: ${problemOf(error)}\n${why} choose another with --data-dir`,
      { cause: error },
    );
  }
}

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
