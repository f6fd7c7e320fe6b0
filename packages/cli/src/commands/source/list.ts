import type { Source } from '@millrace/client';
import { command } from '../../command/command.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';

export const sourceArgument = { doc: 'Its id or name, as source list shows it.' } as const;

export const sourceList = command({
  name: 'source list',
  summary: 'List sources and their status.',
  remote: true,
  options: { json: jsonOption },
  examples: [{ command: 'millrace source list', doc: 'All sources' }],
  run: async ({ io, options, connect }) =>
    writeRecords<Source>(
      io,
      await connect().call('listSources'),
      [
        { title: 'id', whole: true, of: ({ id }) => id },
        { title: 'name', of: ({ name }) => name },
        { title: 'kind', of: ({ kind }) => kind },
        { title: 'dataset', of: ({ dataset }) => dataset },
        { title: 'state', of: ({ status }) => status.state },
        { title: 'lag', of: ({ status }) => String(status.lag ?? '') },
        { title: 'rejected', of: ({ status }) => String(status.rejectedMessages) },
        { title: 'problem', of: ({ status }) => status.problem ?? '' },
      ],
      options.json,
    ),
});
