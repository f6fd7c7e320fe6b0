import type { SettingRecord } from '@millrace/server';
import { command } from '../command/command.js';
import { printValue } from '../command/option.js';
import { settingsIn } from '../serving/parse-settings.js';
import { usage } from '../failure.js';
import { startupBanner } from '../serving/banner.js';
import { showInBrowser } from '../serving/open-browser.js';
import { announce, serveUntilStopped } from '../serving/serve-until-stopped.js';

/** The only flag that is no setting. */
const openFlag = '--open';

export const serve = command({
  name: 'serve',
  summary: 'Run the server until SIGTERM or Ctrl-C.',
  description:
    'Every setting is a flag and an environment variable; docs/settings.md lists them all with their reasons. Logs go to ' +
    'standard error, as JSON unless that is a terminal; the address, a link to sign in with and, at the first start, the token go to standard output.',
  examples: [
    { command: 'millrace serve', doc: 'On this machine only, data in ./data' },
    { command: 'millrace serve --open', doc: 'Open the console in the browser' },
    {
      command: 'millrace serve --host 0.0.0.0 --port 80 --data-dir /var/lib/millrace',
      doc: 'Listen on all interfaces',
    },
  ],
  raw: {
    listed: async () => {
      const { flagOf, settingsTable } = await import('@millrace/server');
      return [
        [openFlag, 'Open the sign-in link in the browser.'],
        ...Object.entries(settingsTable).map(
          ([name, setting]) =>
            [`${flagOf(name)}${valueText(setting)}`, `${setting.doc}${defaultText(setting)}`] as const,
        ),
      ];
    },
  },
  run: async ({ rest, io }) => {
    // Hides arguments, which every user of the machine can read and which may contain a secret.
    process.title = 'millrace serve';
    const { readSettings } = await import('@millrace/server');
    const read = readSettings(
      settingsIn(io.env),
      rest.filter((word) => word !== openFlag),
    );
    const open = rest.includes(openFlag);
    if (!read.ok) throw usage(read.errors.join('\nmillrace: '));
    await serveUntilStopped({
      ...read,
      io,
      showToken: (made) => announce(`Your token, shown this once: ${made}\n`),
      ready: async ({ url, secret, signInLink }) => {
        // Links are printed in a terminal only; in a log they would leak.
        const link = open || io.out.terminal || secret !== undefined ? await signInLink() : undefined;
        announce(startupBanner({ url, secret, link, dataDir: read.settings.dataDir, env: io.env }));
        if (open && link !== undefined) await showInBrowser(link, io.err);
      },
    });
    return 'done';
  },
});

/** Placeholder after a flag; empty for a switch. */
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

/** ` Default: 30s.`, or an empty string for a setting without default. */
function defaultText({
  type,
  default: value,
  memoryShare,
}: {
  readonly type: string;
  readonly default?: unknown;
  readonly memoryShare?: number;
}): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  if (typeof value !== 'number') return ` Default: ${String(value)}.`;
  const option = type === 'bytes' ? 'size' : type === 'duration' ? 'duration' : 'integer';
  const share = memoryShare === undefined ? '' : `, at most ${memoryShare * 100}% of the memory`;
  return ` Default: ${printValue({ type: option }, value)}${share}.`;
}
