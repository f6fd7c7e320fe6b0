import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../command/command.js';
import { Client } from '../connection/client.js';
import { streamShopTraffic } from '../demo/send-shop.js';
import { usage } from '../failure.js';
import { pluralize } from '../render/quantity.js';
import { showInBrowser } from '../serving/open-browser.js';
import { announce, serveUntilStopped } from '../serving/serve-until-stopped.js';

export const demo = command({
  name: 'demo',
  summary: 'Start a temporary demo server with generated traffic.',
  description:
    'Its data is in a temporary directory. A small shop sends logs and traces to it: an hour at once, with a fault in the middle, and then as it happens, ' +
    'some of it late. A dashboard, monitors and saved queries are there too. The link that is printed signs you in to the console.',
  options: {
    port: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 0,
      doc: 'Port to listen on; 0 picks a free port.',
    },
    open: { type: 'flag', doc: 'Open the sign-in link in the browser.' },
    rate: { type: 'integer', min: 1, max: 1000, default: 5, doc: 'Average requests per second.' },
  },
  examples: [
    { command: 'millrace demo', doc: 'Print a sign-in link' },
    { command: 'millrace demo --open', doc: 'Open it in the browser' },
  ],
  run: async ({ io, options }) => {
    process.title = 'millrace demo';
    const { readSettings } = await import('@millrace/server');
    const directory = await mkdtemp(join(tmpdir(), 'millrace-demo-'));
    try {
      // Ignores the environment, which may hold the directory or token of a real server.
      const flags = ['--data-dir', directory, '--port', String(options.port), '--log-level', 'warn'];
      const read = readSettings({}, [...flags, '--self-metrics', 'metrics']);
      if (!read.ok) throw usage(read.errors.join('\nmillrace: '));
      await serveUntilStopped({
        ...read,
        io,
        elsewhere: 'choose another directory with TMPDIR',
        showToken: () => true,
        ready: async ({ url, secret = '', signInLink }, stopping) => {
          announce('Loading one hour of demo-shop traffic…\n');
          const client = new Client({ url, token: secret });
          // All events are queryable before the link is printed.
          const fillDataset = async (events: number): Promise<void> => {
            const link = toShop((await signInLink()) ?? url);
            announce(greetingOf({ url, secret, link, directory, events }));
            if (options.open) await showInBrowser(link, io.err);
          };
          await streamShopTraffic({ client, rate: options.rate, stopping, filled: fillDataset });
        },
      });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    announce('Demo stopped; data deleted.\n');
    return 'done';
  },
});

/** The link opens the dashboard of the shop. */
const toShop = (link: string): string => link.replace('/console/#', '/console/dashboards/the-shop#');

interface GreetingInput {
  readonly url: string;
  readonly secret: string;
  readonly link: string;
  readonly directory: string;
  readonly events: number;
}

const greetingOf = ({ url, secret, link, directory, events }: GreetingInput): string =>
  [
    `Millrace serves at ${url}`,
    '',
    `  Open       ${link}`,
    '             signs one browser in, within ten minutes',
    `  Datasets   logs and traces, ${pluralize(events, 'event')}, and more every second; metrics of the server`,
    '  Look at    the dashboard that the link opens, and Monitors: one is firing',
    '  Ask        logs | where status >= 500 | summarize count() by bin(_time, 1m), service, version',
    `  Shell      export MILLRACE_URL=${url} MILLRACE_TOKEN=${secret}`,
    `  Data       ${directory}`,
    '  Stop       Ctrl-C: the data is removed',
    '',
    '',
  ].join('\n');
