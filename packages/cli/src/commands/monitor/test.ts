import { command } from '../../command/command.js';
import { fileArgument } from '../../document-file.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { monitorIn } from './file.js';

export const monitorTest = command({
  name: 'monitor test',
  summary: 'Back-test a monitor file.',
  description: 'Makes the runs of the past over what had arrived by their times. Keeps and sends nothing.',
  remote: true,
  args: { file: fileArgument },
  options: {
    start: { type: 'text', metavar: 'TIME', doc: 'Time of the first run, RFC 3339. Default: a day before the end.' },
    end: { type: 'text', metavar: 'TIME', doc: 'Time of the last run. Default: now.' },
    json: jsonOption,
  },
  examples: [{ command: 'millrace monitor test failed-requests.json', doc: 'Over the last day' }],
  run: async ({ io, args, options, connect }) => {
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
