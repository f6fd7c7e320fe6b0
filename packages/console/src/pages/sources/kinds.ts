import type { SourceProperties } from '@millrace/client';

/** All kinds of sources with their fields; the form derives from this table. */

export type SourceKind = keyof SourceProperties;

export interface SourceField {
  /** Name in `properties`. */
  readonly id: string;
  readonly title: string;
  readonly kind: 'text' | 'list' | 'number' | 'flag' | 'secret' | 'certificate' | 'choice';
  readonly required?: true;
  /** The first one is the default of the server. */
  readonly choices?: readonly string[];
  readonly placeholder?: string;
  readonly hint?: string;
}

/** Titles of choices that are not shown as they are. */
const choiceTitles: Readonly<Record<string, string>> = {
  '': 'None',
  auto: 'Detect',
  json: 'JSON',
  ndjson: 'NDJSON',
  csv: 'CSV',
  text: 'Text, an event per line or message',
  parquet: 'Parquet',
  'otlp-logs': 'OTLP logs',
  'otlp-traces': 'OTLP traces',
  'otlp-metrics': 'OTLP metrics',
  cloudtrail: 'AWS CloudTrail',
  alb: 'AWS load balancer log',
  vpcflow: 'AWS VPC flow log',
  cloudfront: 'AWS CloudFront log',
  earliest: 'Oldest message',
  latest: 'New messages only',
};

export const choiceTitle = (choice: string): string => choiceTitles[choice] ?? choice;

interface KindAbout {
  readonly title: string;
  readonly fields: readonly SourceField[];
}

const timestampField: SourceField = {
  id: 'timestampField',
  title: 'Timestamp field',
  kind: 'text',
  placeholder: '_time',
};

export const kinds: Readonly<Record<SourceKind, KindAbout>> = {
  kafka: {
    title: 'Kafka',
    fields: [
      {
        id: 'brokers',
        title: 'Brokers',
        kind: 'list',
        required: true,
        placeholder: 'kafka-1.example.com:9092',
        hint: 'Host and port, one per line',
      },
      { id: 'topics', title: 'Topics', kind: 'list', required: true, placeholder: 'orders', hint: 'One per line' },
      {
        id: 'format',
        title: 'Format',
        kind: 'choice',
        choices: ['json', 'text', 'otlp-logs', 'otlp-traces', 'otlp-metrics'],
      },
      { id: 'start', title: 'Start', kind: 'choice', choices: ['earliest', 'latest'] },
      { id: 'group', title: 'Consumer group', kind: 'text', placeholder: 'millrace-…' },
      timestampField,
      { id: 'tls', title: 'TLS', kind: 'flag' },
      {
        id: 'ca',
        title: 'CA certificates',
        kind: 'certificate',
        placeholder: '-----BEGIN CERTIFICATE-----',
        hint: 'PEM; those of the system by default',
      },
      {
        id: 'mechanism',
        title: 'SASL mechanism',
        kind: 'choice',
        choices: ['', 'PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'],
      },
      { id: 'username', title: 'User name', kind: 'text' },
      { id: 'password', title: 'Password', kind: 'secret' },
    ],
  },
  bucket: {
    title: 'S3 bucket',
    fields: [
      { id: 'bucket', title: 'Bucket', kind: 'text', required: true, placeholder: 'example-logs' },
      { id: 'prefix', title: 'Prefix', kind: 'text', placeholder: 'AWSLogs/' },
      { id: 'region', title: 'Region', kind: 'text', placeholder: 'us-east-1' },
      {
        id: 'endpoint',
        title: 'Endpoint',
        kind: 'text',
        placeholder: 'https://s3.example.com',
        hint: 'AWS in the region by default',
      },
      { id: 'accessKeyId', title: 'Access key ID', kind: 'text', hint: 'Requests are unsigned without it' },
      { id: 'secretAccessKey', title: 'Secret access key', kind: 'secret' },
      {
        id: 'format',
        title: 'Format',
        kind: 'choice',
        choices: ['auto', 'json', 'ndjson', 'csv', 'text', 'parquet', 'cloudtrail', 'alb', 'vpcflow', 'cloudfront'],
      },
      timestampField,
      { id: 'startAfter', title: 'Start after key', kind: 'text' },
      { id: 'modifiedSince', title: 'Modified since', kind: 'text', placeholder: '2026-01-01T00:00:00Z' },
      { id: 'pollSeconds', title: 'Time between listings, seconds', kind: 'number', placeholder: '60' },
      {
        id: 'queueUrl',
        title: 'Notification queue',
        kind: 'text',
        placeholder: 'https://sqs.us-east-1.amazonaws.com/123456789012/logs',
        hint: 'SQS; read instead of listings',
      },
    ],
  },
};

export const kindNames = Object.keys(kinds) as readonly SourceKind[];
