import { command } from '../../command/command.js';
import { writeRecord } from '../../render/records.js';
import { jsonOption } from '../json-option.js';
import { datasetArgument, datasetProperties, propertiesIn } from './dataset.js';

/** Kinds of datasets by the words of the option. */
const kinds = {
  events: 'axiom:events:v1',
  logs: 'otel:logs:v1',
  traces: 'otel:traces:v1',
  metrics: 'otel:metrics:v1',
} as const;
const kindNames = ['events', 'logs', 'traces', 'metrics'] as const;

export const datasetCreate = command({
  name: 'dataset create',
  summary: 'Create a dataset.',
  remote: true,
  args: { dataset: datasetArgument },
  options: {
    ...datasetProperties,
    kind: { type: 'choice', short: 'k', choices: kindNames, doc: 'Kind of data: events, or OpenTelemetry signals.' },
    json: jsonOption,
  },
  examples: [
    { command: 'millrace dataset create logs', doc: 'A dataset for logs' },
    { command: "millrace dataset create traces -d 'Spans of the shop' --retention-days 30", doc: 'Kept for a month' },
    { command: 'millrace dataset create metrics --kind metrics', doc: 'A dataset for metrics' },
  ],
  run: async ({ io, args, options, connect }) => {
    const { kind } = options;
    const ofKind = kind === undefined ? {} : { kind: kinds[kind] };
    const body = { name: args.dataset, ...propertiesIn(options), ...ofKind };
    return writeRecord(io, await connect().call('createDataset', { body }), options.json);
  },
});
