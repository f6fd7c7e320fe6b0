import { command } from '../command/command.js';
import { checks } from '../doctor/checks.js';
import { usage } from '../failure.js';
import { styleText } from '../io.js';
import { pluralize } from '../render/quantity.js';
import { settingsIn } from '../serving/parse-settings.js';
import { jsonOption } from './json-option.js';
import { serve } from './serve.js';

const styles = { ok: 'dim', warning: 'yellow', problem: 'red' } as const;
const titleWidth = Math.max(...checks.map(({ title }) => title.length));
const stateWidth = Math.max(...Object.keys(styles).map(({ length }) => length));

export const doctor = command({
  name: 'doctor',
  summary: 'Check whether a server can run here.',
  description:
    'Takes the flags and environment variables of millrace serve and checks what such a server needs: platform, memory, data directory, disk, ' +
    'clock, port, TLS certificate, ClickHouse, PostgreSQL and mail server. Changes nothing. The exit code is 1 if the server would not start.',
  examples: [
    { command: 'millrace doctor', doc: 'Check this machine with the settings of the environment' },
    { command: 'millrace doctor --data-dir /var/lib/millrace --port 80', doc: 'Check other settings' },
  ],
  raw: { listed: async () => [...((await serve.raw?.listed()) ?? []), ['--json', jsonOption.doc]] },
  run: async ({ rest, io }) => {
    const { readSettings } = await import('@millrace/server');
    const read = readSettings(
      settingsIn(io.env),
      rest.filter((word) => word !== '--json'),
    );
    const json = rest.includes('--json');
    if (!read.ok) throw usage(read.errors.join('\nmillrace: '));
    const { settings } = read;
    const found = await Promise.all(checks.map(async ({ title, find }) => ({ title, finding: await find(settings) })));
    const results = found.flatMap(({ title, finding }) => (finding === undefined ? [] : [{ title, ...finding }]));
    const problems = results.filter(({ state }) => state === 'problem').length;
    if (json) {
      await io.out.write(`${JSON.stringify(results)}\n`);
      return problems === 0 ? 'done' : 'failed';
    }
    for (const { title, state, text, remedy } of results) {
      const label = styleText(io.out, styles[state], state.padEnd(stateWidth));
      await io.out.write(`${label}  ${title.padEnd(titleWidth)}  ${text}\n`);
      if (remedy !== undefined) await io.out.write(`${' '.repeat(stateWidth + titleWidth + 4)}${remedy}\n`);
    }
    if (problems === 0) return 'done';
    await io.err.write(`millrace: ${pluralize(problems, 'problem')} found; the server would not start\n`);
    return 'failed';
  },
});
