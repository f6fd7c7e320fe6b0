import type { SettingRecord } from '@millrace/server';
import { command } from '../command/command.js';
import { printed } from '../command/option.js';
import { settingsIn } from '../serving/settings-in.js';
import { usage } from '../failure.js';
import { greeting } from '../serving/greeting.js';
import { announce, serveUntilStopped } from '../serving/serve-until-stopped.js';

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
    // The arguments of a process are there for every user of the machine to read, and a flag may
    // have been a secret.
    process.title = 'millrace serve';
    const { readSettings } = await import('@millrace/server');
    const read = readSettings(settingsIn(io.env), rest);
    if (!read.ok) throw usage(read.errors.join('\nmillrace: '));
    await serveUntilStopped({
      ...read,
      io,
      showToken: (made) => announce(`Your token, shown this once: ${made}\n`),
      ready: async ({ url, secret, signInLink }) => {
        // In a terminal every start is somebody's who may want to look; elsewhere a link would lie
        // about in a log.
        const link = io.out.terminal || secret !== undefined ? await signInLink() : undefined;
        announce(greeting({ url, secret, link, dataDir: read.settings.dataDir }));
      },
    });
    return 'done';
  },
});

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
