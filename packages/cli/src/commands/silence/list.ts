import { command } from '../../command/command.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';

export const silenceList = command({
  name: 'silence list',
  summary: 'List silences and maintenance windows.',
  remote: true,
  options: { json: jsonOption },
  examples: [{ command: 'millrace silence list', doc: 'All silences' }],
  run: async ({ io, options, connect }) =>
    writeRecords(
      io,
      await connect().call('listSilences'),
      [
        { title: 'id', whole: true, of: ({ id }) => id },
        { title: 'reason', of: ({ reason }) => reason },
        { title: 'active', of: ({ active }) => (active ? 'yes' : 'no') },
        { title: 'start', of: ({ startTime, repeat }) => repeat?.cron ?? startTime },
        { title: 'end', of: ({ activeUntil, endTime }) => activeUntil ?? endTime ?? '' },
      ],
      options.json,
    ),
});
