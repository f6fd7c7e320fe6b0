import { type Drop, formatRfc3339 } from '@millrace/events';
import { Type } from 'typebox';
import { json, route, type Answer, type Call, type Route } from '../routes/route.js';
import {
  ingest,
  type IngestDependencies,
  type IngestOutcome,
  type IngestRequest,
  type IngestTarget,
} from './ingest.js';

/** Ingest over HTTP: the native endpoint and its edge path. */

export interface IngestRouteDependencies extends IngestDependencies {
  /**
   * The dataset of that name, made first if the server does so.
   * @throws HttpError `dataset-not-found`
   */
  readonly target: (name: string, call: Pick<Call, 'may' | 'principal'>) => Promise<IngestTarget>;
  readonly maxBodyBytes: number;
  /** Called after each request, for the metrics. */
  readonly stored: (outcome: IngestOutcome) => void;
}

const query = Type.Object({
  'timestamp-field': Type.Optional(Type.String({ description: 'Field of the events that supplies `_time`.' })),
  'timestamp-format': Type.Optional(Type.String({ description: 'Go reference layout; detected if left out.' })),
  'csv-delimiter': Type.Optional(Type.String({ description: 'Default `,`. Ignored unless the body is CSV.' })),
});

const headers = Type.Object({
  'content-type': Type.Optional(Type.String()),
  'content-encoding': Type.Optional(Type.String({ description: 'gzip, zstd, deflate, br or identity.' })),
  'x-axiom-csv-fields': Type.Optional(
    Type.String({ description: 'Names of the columns; the first line of the CSV is then data.' }),
  ),
  'x-axiom-event-labels': Type.Optional(Type.String({ description: 'JSON object merged into every event.' })),
});

const ingestStatus = Type.Object({
  ingested: Type.Integer({ description: 'Events stored: on disk, fsynced, and seen by the next query.' }),
  failed: Type.Integer({ description: 'Events refused, each for its own reason.' }),
  failures: Type.Array(Type.Object({ timestamp: Type.String(), error: Type.String() })),
  processedBytes: Type.Integer({ description: 'Length of the decompressed body plus that of the labels.' }),
  blocksCreated: Type.Integer(),
  walLength: Type.Integer({ description: 'Bytes acknowledged that the engine has not taken yet.' }),
  messages: Type.Optional(
    Type.Array(
      Type.Object({ priority: Type.String(), code: Type.String(), count: Type.Integer(), msg: Type.String() }),
      { description: 'Only when values were left out of stored events.' },
    ),
  ),
});

type Shape = {
  readonly params: ReturnType<typeof paramsOf>;
  readonly query: typeof query;
  readonly headers: typeof headers;
  readonly body: 'bytes';
};

const paramsOf = () => Type.Object({ dataset: Type.String() });

/** Both paths take the same requests and give the same answers. */
export function ingestRoutes(deps: IngestRouteDependencies): readonly Route[] {
  const shape: Shape = { params: paramsOf(), query, headers, body: 'bytes' };
  const common = {
    tag: 'Ingest',
    description:
      'JSON array, single object, NDJSON (told apart by the bytes) or CSV with a header line. A malformed event fails alone and is listed in `failures`; its neighbours are stored.',
    need: { scope: 'dataset', param: 'dataset', resource: 'ingest', action: 'create' },
    request: shape,
    responses: { 200: { description: 'What was stored and what was refused.', schema: ingestStatus } },
    errors: [
      'dataset-not-found',
      'body-too-large',
      'unsupported-encoding',
      'ingest-behind',
      'disk-full',
      'storage-unavailable',
    ],
    maxBodyBytes: deps.maxBodyBytes,
    limitFamily: 'Ingest',
    // Before the body is read: what cannot be taken is not sent.
    admit: () => deps.storage.checkRoom(),
    handle: async (call: Call<Shape>): Promise<Answer> => {
      const dataset = await deps.target(call.params.dataset, call);
      const outcome = await ingest(requestOf(call, dataset), deps);
      deps.stored(outcome);
      return json(statusOf(outcome, deps.storage.pendingBytes), 200, receipt(outcome));
    },
  } as const;
  return [
    route({
      ...common,
      method: 'POST',
      path: '/v1/datasets/{dataset}/ingest',
      operation: 'ingest',
      summary: 'Send events',
      examples: [{ summary: 'Two events', params: { dataset: 'logs' }, body: '[{"status":200},{"status":404}]' }],
    }),
    route({
      ...common,
      method: 'POST',
      path: '/v1/ingest/{dataset}',
      operation: 'ingestEdge',
      summary: 'Send events (edge path)',
    }),
  ];
}

function requestOf({ headers, query, body }: Call<Shape>, dataset: IngestTarget): IngestRequest {
  // Clients send options they do not use as empty strings.
  const given = <K extends string>(name: K, value: string | undefined) =>
    (value === undefined || value === '' ? {} : { [name]: value }) as { readonly [P in K]?: string };
  return {
    dataset,
    body,
    contentType: headers['content-type'] ?? '',
    ...given('contentEncoding', headers['content-encoding']),
    ...given('labels', headers['x-axiom-event-labels']),
    ...given('csvFields', headers['x-axiom-csv-fields']),
    ...given('csvDelimiter', query['csv-delimiter']),
    ...given('timestampField', query['timestamp-field']),
    ...given('timestampFormat', query['timestamp-format']),
  };
}

function statusOf({ encoded, processedBytes }: IngestOutcome, walLength: number): unknown {
  return {
    ingested: encoded.ingested,
    failed: encoded.failed,
    failures: encoded.failures.map(({ time, error }) => ({ timestamp: formatRfc3339(time), error })),
    processedBytes,
    blocksCreated: encoded.ingested > 0 ? 1 : 0,
    walLength,
    // Strict clients refuse the key where nothing was dropped.
    ...(encoded.dropped.length > 0 && { messages: encoded.dropped.map(messageOf) }),
  };
}

function messageOf({ field, reason, count }: Drop): unknown {
  return {
    priority: 'warn',
    code: `schema_rules_drop:${field}`,
    count,
    msg: `field "${field}" dropped: ${why(reason)}`,
  };
}

function why(reason: Drop['reason']): string {
  switch (reason.kind) {
    case 'undeclared':
      return 'not in declared schema';
    case 'type':
      return `type rule violated (allowed ${reason.allowed.join('|')}, saw ${reason.saw})`;
    case 'name-too-long':
      return `its name is longer than ${reason.limit} bytes`;
  }
}

const receipt = ({ position }: IngestOutcome): Readonly<Record<string, string>> =>
  position === undefined ? {} : { 'x-millrace-position': String(position) };
