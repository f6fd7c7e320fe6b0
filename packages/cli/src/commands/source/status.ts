import { namedOf } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { writeRecords } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { sourceArgument } from './list.js';

export const sourceStatus = command({
  name: 'source status',
  summary: 'Show counts, lag, position and errors of a source.',
  remote: true,
  args: { source: sourceArgument },
  options: { json: jsonOption },
  examples: [{ command: 'millrace source status orders', doc: 'With the last rejected messages' }],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    const { id } = namedOf(await client.call('listSources'), 'source', args.source);
    const status = await client.call('getSourceStatus', { params: { id } });
    if (options.json) {
      await io.out.write(`${JSON.stringify(status)}\n`);
      return 'done';
    }
    const { rejects, ...counts } = status;
    const rows = Object.entries(counts).map(([name, value]) => ({ name, value: String(value) }));
    for (const { time, position, problem } of rejects)
      rows.push({ name: 'reject', value: `${time} ${position}: ${problem}` });
    return writeRecords(
      io,
      rows,
      [
        { title: 'name', of: ({ name }) => name },
        { title: 'value', whole: true, of: ({ value }) => value },
      ],
      false,
    );
  },
});
