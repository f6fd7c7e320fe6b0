import { command } from '../../command/command.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';

export const notifierArgument = { doc: 'Its id or name, as notifier list shows it.' } as const;

export const notifierList = command({
  name: 'notifier list',
  summary: 'List the notifiers.',
  remote: true,
  options: { json: jsonOption },
  examples: [{ command: 'millrace notifier list', doc: 'All notifiers' }],
  run: async ({ io, options, connect }) =>
    writeRecords(
      io,
      await connect().call('listNotifiers'),
      [
        { title: 'id', whole: true, of: ({ id }) => id },
        { title: 'name', of: ({ name }) => name },
        { title: 'channel', of: ({ properties }) => Object.keys(properties).join() },
      ],
      options.json,
    ),
});
