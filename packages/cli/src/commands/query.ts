import { command } from '../command/command.js';
import { usage } from '../failure.js';
import { ask } from '../query/run-query.js';
import { queryOptions, queryText, showPlace, withStep } from '../query/text.js';
import { resultFormats, writeAnswer } from '../query/write.js';

export const query = command({
  name: 'query',
  summary: 'Run an APL query.',
  description:
    'A table in a terminal, one JSON object a row (NDJSON) in a pipe or a file. Numbers and times are written as the ' +
    'server sent them, without loss. Quote the query as one word for your shell.',
  remote: true,
  args: { apl: { optional: true, doc: 'APL query; - or omitted reads standard input.' } },
  options: {
    ...queryOptions,
    format: {
      type: 'choice',
      choices: resultFormats,
      doc: 'How to write the rows; json is the whole answer as the server sent it.',
    },
    json: { type: 'flag', doc: 'The same as --format json.' },
    limit: {
      type: 'integer',
      short: 'n',
      min: 1,
      max: 1_000_000,
      doc: 'Maximum rows; the server limit also applies.',
    },
  },
  examples: [
    { command: "millrace query 'logs | summarize count() by status'", doc: 'A table' },
    {
      command: "millrace query 'logs | where status >= 500' --start now-1h | jq .path",
      doc: 'Rows for another program',
    },
    { command: 'millrace query -f report.apl --format csv > report.csv', doc: 'A query from a file' },
  ],
  run: async ({ io, args, options, connect }) => {
    if (options.json && options.format !== undefined && options.format !== 'json')
      throw usage(`--json and --format ${options.format} exclude each other`);
    const client = connect();
    const apl = await queryText(args.apl, options.file, io);
    const limited = options.limit === undefined ? apl : withStep(apl, `limit ${options.limit}`);
    try {
      const { answer, text } = await ask(client, { apl: limited, start: options.start, end: options.end });
      await writeAnswer(
        io,
        answer,
        text,
        options.json ? 'json' : (options.format ?? (io.out.terminal ? 'table' : 'ndjson')),
      );
      return 'done';
    } catch (error) {
      throw showPlace(error, apl, io);
    }
  },
});
