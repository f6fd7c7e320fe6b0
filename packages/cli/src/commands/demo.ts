import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../command/command.js';
import { Client } from '../connection/client.js';
import { sendShop } from '../demo/send-shop.js';
import { usage } from '../failure.js';
import { several } from '../render/quantity.js';
import { announce, serveUntilStopped } from '../serving/serve-until-stopped.js';

export const demo = command({
  name: 'demo',
  summary: 'Look around: a server with an hour of generated traffic, gone after Ctrl-C.',
  description:
    'Its data is in a temporary directory. A small shop sends logs and traces to it: an hour at once, with a fault in the middle, and then as it happens, ' +
    'some of it late. A dashboard, monitors and saved queries are there too. The link that is printed signs you in to the console.',
  options: {
    port: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 0,
      doc: 'Port of the server on this machine; 0 is any free one.',
    },
    rate: { type: 'integer', min: 1, max: 1000, default: 5, doc: 'Requests to the shop in a second, on average.' },
  },
  examples: [{ command: 'millrace demo', doc: 'Open the link that it prints' }],
  run: async ({ io, options }) => {
    process.title = 'millrace demo';
    const { readSettings } = await import('@millrace/server');
    const directory = await mkdtemp(join(tmpdir(), 'millrace-demo-'));
    try {
      // Nothing of the environment: it may name the directory or the token of a real server.
      const read = readSettings({}, ['--data-dir', directory, '--port', String(options.port), '--log-level', 'warn']);
      if (!read.ok) throw usage(read.errors.join('\nmillrace: '));
      await serveUntilStopped({
        ...read,
        io,
        showToken: () => true,
        ready: async ({ url, secret = '', signInLink }, stopping) => {
          announce('An hour of traffic of a small shop is on its way; that takes some seconds.\n');
          const client = new Client({ url, token: secret });
          // Who opens the link finds all of it there.
          const filled = async (events: number): Promise<void> =>
            void announce(greetingOf({ url, secret, link: (await signInLink()) ?? url, directory, events }));
          await sendShop({ client, rate: options.rate, stopping, filled });
        },
      });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    announce('The demonstration is over; its data is gone.\n');
    return 'done';
  },
});

interface Greeted {
  readonly url: string;
  readonly secret: string;
  readonly link: string;
  readonly directory: string;
  readonly events: number;
}

const greetingOf = ({ url, secret, link, directory, events }: Greeted): string =>
  [
    `Millrace serves at ${url}`,
    '',
    `  Open       ${link}`,
    '             signs one browser in, within ten minutes',
    `  Datasets   logs and traces, ${several(events, 'event')}, and more every second`,
    '  Look at    Dashboards › The shop, and Monitors: one is firing',
    '  Ask        logs | where status >= 500 | summarize count() by bin(_time, 1m), service, version',
    `  Shell      export MILLRACE_URL=${url} MILLRACE_TOKEN=${secret}`,
    `  Data       ${directory}`,
    '  Stop       Ctrl-C: the data is removed',
    '',
    '',
  ].join('\n');
