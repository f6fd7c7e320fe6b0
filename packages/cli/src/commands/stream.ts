import { command } from '../command/command.js';
import { retryNotice } from '../connection/retry-notice.js';
import { styleText } from '../io.js';
import { plainText } from '../render/rows.js';
import { escapeControls } from '../render/width.js';
import { arrivals, doesNotTail } from '../stream/arrivals.js';
import { type FollowedEvent, follow } from '../stream/follow.js';
import { datasetArgument } from './dataset/dataset.js';

export const stream = command({
  name: 'stream',
  summary: 'Tail a dataset.',
  description:
    'Runs until interrupted. Shows events in ingest order, including late ones. Reconnects after a failure without missing or repeating an event. ' +
    'With a server that does not report the ingest order, events appear in time order and late ones are not shown. ' +
    'In a pipe each event is one JSON object.',
  remote: true,
  args: { dataset: datasetArgument },
  options: {
    start: {
      type: 'text',
      metavar: 'TIME',
      doc: 'Begin with the events dated since then, in the order of their time: RFC 3339, or relative as in now-1h. Default: now.',
    },
    interval: {
      type: 'duration',
      min: 100,
      max: 3_600_000,
      default: 1000,
      doc: 'Polling interval for servers without tail support.',
    },
    json: { type: 'flag', doc: 'Write JSON, also in a terminal.' },
  },
  examples: [
    { command: 'millrace stream logs', doc: 'From now on' },
    { command: "millrace stream logs | jq 'select(.status >= 500)'", doc: 'Some of them' },
  ],
  run: async ({ io, args, options, connect }) => {
    const json = options.json || !io.out.terminal;
    const following = {
      client: connect(),
      dataset: args.dataset,
      interval: options.interval,
      pausing: retryNotice(io.err),
    };
    const show = async (events: AsyncIterable<FollowedEvent>): Promise<void> => {
      for await (const event of events)
        await io.out.write(json ? jsonLine(event) : personLine(event, (text) => styleText(io.out, 'dim', text)));
    };
    try {
      await show(arrivals({ ...following, start: options.start }));
    } catch (error) {
      if (!doesNotTail(error)) throw error;
      await io.err.write('this server does not support tailing: polling by event time, late events are skipped\n');
      await show(follow({ ...following, start: options.start ?? new Date().toISOString() }));
    }
    return 'done';
  },
});

const jsonLine = (event: FollowedEvent): string =>
  `{${[...event].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}\n`;

function personLine(event: FollowedEvent, dim: (text: string) => string): string {
  const parts = [...event].flatMap(([name, value]) =>
    name === '_time' || value === 'null'
      ? []
      : [`${dim(`${escapeControls(name)}=`)}${escapeControls(plainText(value))}`],
  );
  return `${dim(plainText(event.get('_time') ?? 'null'))} ${parts.join(' ')}\n`;
}
