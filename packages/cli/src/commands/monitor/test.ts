import { command } from '../../command/command.js';
import { fileArgument } from '../../document-file.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { usage } from '../../failure.js';
import { monitorIn } from './file.js';
import { testCases } from './test-cases.js';

export const monitorTest = command({
  name: 'monitor test',
  summary: 'Back-test a monitor file, or test it with recorded events.',
  description:
    'Makes the runs of the past over what had arrived by their times. Keeps and sends nothing. With --cases it needs no server: it starts an empty one, ' +
    'ingests the events of each case, and fails unless the monitor opens and closes exactly as expected (docs/monitors.md has the format).',
  remote: true,
  args: { file: fileArgument },
  options: {
    start: { type: 'text', metavar: 'TIME', doc: 'Time of the first run, RFC 3339. Default: a day before the end.' },
    end: { type: 'text', metavar: 'TIME', doc: 'Time of the last run. Default: now.' },
    cases: { type: 'text', metavar: 'FILE', doc: 'Recorded events and expected openings, as JSON.' },
    json: jsonOption,
  },
  examples: [
    { command: 'millrace monitor test failed-requests.json', doc: 'Over the last day' },
    { command: 'millrace monitor test failed-requests.json --cases failed-requests.cases.json', doc: 'In CI' },
  ],
  run: async ({ io, args, options, connect }) => {
    if (options.cases !== undefined) {
      if (options.start !== undefined || options.end !== undefined)
        throw usage('each case has its own start and end: leave out --start and --end');
      return testCases(args.file, options.cases, options.json, io);
    }
    const client = connect();
    const { body: monitor } = await monitorIn(args.file, io, client);
    const { runs, notifications, complete } = await client.call('previewMonitor', {
      body: {
        monitor,
        ...(options.start !== undefined && { startTime: options.start }),
        ...(options.end !== undefined && { endTime: options.end }),
      },
    });
    const failed = runs.filter(({ state }) => state === 'error');
    await io.err.write(
      `${runs.length} runs${complete ? '' : ' of more than could be made'}, ${notifications.length} notifications` +
        `${failed.length === 0 ? '' : `; ${failed.length} runs failed: ${failed[0]?.error ?? ''}`}\n`,
    );
    return writeRecords(
      io,
      notifications,
      [
        { title: 'time', whole: true, of: ({ time }) => time },
        { title: 'action', of: ({ action }) => action },
        { title: 'what', of: ({ body }) => body },
      ],
      options.json,
    );
  },
});
