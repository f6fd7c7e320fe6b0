import { Type, type Static } from 'typebox';
import { withTitle, oneOf, optional, textOf, Timestamp, withMembers } from './parts.js';

/** Sources: Kafka topics and buckets that the server reads events from. */

const text = (description: string, maxLength = 1024) => textOf('written', { minLength: 1, maxLength, description });
const secret = (description: string) =>
  Type.String({
    maxLength: 4096,
    description: `${description} Shown as empty without the right to write sources; empty keeps it.`,
  });

/** How the value of a Kafka message is read. */
const messageFormats = ['json', 'text', 'otlp-logs', 'otlp-traces', 'otlp-metrics'] as const;
export type MessageFormat = (typeof messageFormats)[number];

/** How the objects of a bucket are read. */
const objectFormats = [
  'auto',
  'json',
  'ndjson',
  'csv',
  'text',
  'parquet',
  'cloudtrail',
  'alb',
  'vpcflow',
  'cloudfront',
] as const;
export type ObjectFormat = (typeof objectFormats)[number];

/** Settings of each kind of source, by the name it has in `properties`. */
const kindProperties = {
  kafka: Type.Object({
    brokers: Type.Array(text('`host:port`.', 300), { minItems: 1, maxItems: 50 }),
    topics: Type.Array(text('Name of a topic.', 249), { minItems: 1, maxItems: 100 }),
    group: optional(text('Consumer group. Default: `millrace-` and the ID of the source.', 255)),
    format: optional(
      oneOf(messageFormats, {
        default: 'json',
        description: 'How values are read; `text` becomes the field `message`. OTLP is protobuf or JSON.',
      }),
    ),
    start: optional(
      oneOf(['earliest', 'latest'], {
        default: 'earliest',
        description: 'Where reading starts in partitions for which the group has no offset.',
      }),
    ),
    timestampField: optional(text('Field with the event time. Default: `_time`, then the time of the message.', 200)),
    tls: optional(Type.Boolean({ description: 'Connect with TLS.' })),
    ca: optional(
      Type.String({ maxLength: 65_536, description: 'CA certificates in PEM. Default: those of the system.' }),
    ),
    mechanism: optional(oneOf(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'], { description: 'SASL mechanism.' })),
    username: optional(text('Of SASL.')),
    password: optional(secret('Of SASL.')),
  }),
  bucket: Type.Object({
    bucket: text('Name of the bucket.', 255),
    prefix: optional(Type.String({ maxLength: 1024, description: 'Only objects whose keys start with it.' })),
    region: optional(text('Default: `us-east-1`.', 64)),
    endpoint: optional(
      textOf('url', { maxLength: 1024, description: 'URL of an S3-compatible server. Default: AWS in the region.' }),
    ),
    accessKeyId: optional(text('ID of an access key that may list and read. Default: unsigned requests.', 128)),
    secretAccessKey: optional(secret('Its secret.')),
    format: optional(oneOf(objectFormats, { default: 'auto', description: 'Default: by name and content.' })),
    timestampField: optional(text('Field with the event time. Default: the field that plainly has it.', 200)),
    startAfter: optional(
      Type.String({ maxLength: 1024, description: 'Only objects whose keys come after it in order.' }),
    ),
    modifiedSince: optional(Timestamp('Only objects modified since then.')),
    pollSeconds: optional(
      Type.Integer({ minimum: 1, maximum: 86_400, default: 60, description: 'Time between two listings.' }),
    ),
    queueUrl: optional(
      textOf('url', {
        maxLength: 1024,
        description: 'URL of an SQS queue with notifications of the bucket, which are read instead of listings.',
      }),
    ),
  }),
} as const;
export type SourceKindName = keyof typeof kindProperties;
const sourceKindNames = Object.keys(kindProperties) as readonly SourceKindName[];
export type SourcePropertiesOf<Name extends SourceKindName> = Static<(typeof kindProperties)[Name]>;

/** Secrets of each kind. */
export const sourceSecrets = {
  kafka: ['password'],
  bucket: ['secretAccessKey'],
} as const satisfies Record<SourceKindName, readonly string[]>;

export type SourceProperties = { readonly [Name in SourceKindName]?: SourcePropertiesOf<Name> };
const Properties = withTitle(
  'SourceProperties',
  Type.Unsafe<SourceProperties>(
    Type.Object(Object.fromEntries(Object.entries(kindProperties).map(([name, kind]) => [name, Type.Optional(kind)])), {
      description: 'Exactly one kind.',
    }),
  ),
);

const writableProperties = {
  name: text('Name, unique among sources.', 256),
  dataset: text('Dataset that gets the events.', 128),
  rejectedDataset: optional(
    text('Dataset that gets messages that cannot be read. Default: the dataset of the events.', 128),
  ),
  properties: Properties,
};

export const WriteSource = withTitle('WriteSource', Type.Object(writableProperties));
export type WriteSource = Static<typeof WriteSource>;

const serverProperties = {
  id: Type.String(),
  paused: Type.Boolean(),
  createdAt: Type.String({ format: 'date-time' }),
  createdBy: Type.String({ description: 'ID of the user.' }),
  updatedAt: Type.String({ format: 'date-time' }),
  writtenBy: Type.String({ description: 'ID of the user whose rights apply: the last one who wrote it.' }),
};

export const StoredSource = withMembers('StoredSource', Type.Object(writableProperties), Type.Object(serverProperties));
export type StoredSource = Static<typeof StoredSource>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** What a source has done so far. */
const progress = {
  events: count('Events stored.'),
  failedEvents: count('Events that the dataset rejected.'),
  rejectedMessages: count('Messages or objects that could not be read, and were kept aside.'),
  batches: count('Batches stored.'),
  bytes: count('Bytes of the batches.'),
  lag: optional(count('Messages, or objects, that are still to be read; absent until it is known.')),
  lagBytes: optional(count('Bytes of the objects that are still to be read.')),
  position: optional(
    Type.String({ description: 'The last stored batch: topic, partition and offsets, or an object.' }),
  ),
  lastBatchAt: optional(Type.String({ format: 'date-time' })),
};

export const SourceStatus = withTitle(
  'SourceStatus',
  Type.Object({
    state: oneOf(['running', 'failing', 'paused', 'stopped', 'waiting'], {
      description:
        '`failing`: the last attempt failed and is repeated. `stopped`: the user whose rights apply was removed. `waiting`: not started yet.',
    }),
    problem: optional(Type.String({ description: 'Why it is failing or stopped.' })),
    ...progress,
    rejects: Type.Array(
      Type.Object({
        time: Type.String({ format: 'date-time' }),
        position: Type.String(),
        problem: Type.String(),
      }),
      { description: 'The last messages, objects and events that were rejected, newest first.' },
    ),
    updatedAt: optional(Type.String({ format: 'date-time', description: 'When this was recorded.' })),
  }),
);
export type SourceStatus = Static<typeof SourceStatus>;

/** The status as it is stored by the node that runs the source. */
export type StoredSourceStatus = Omit<SourceStatus, 'state'> & {
  readonly id: string;
  readonly state: 'running' | 'failing';
};

/** A source as returned to clients. */
export const ShownSource = withTitle(
  'Source',
  Type.Object({ ...writableProperties, ...serverProperties, kind: oneOf(sourceKindNames), status: SourceStatus }),
);
export type ShownSource = Static<typeof ShownSource>;
