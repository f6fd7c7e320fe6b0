import { unpackOtlp } from '@millrace/ingest/otlp/unpack';
import { attribute, bodyOf, formats, logs, optionsOf } from '@millrace/ingest/otlp/testing/test-requests';
import { bodiesOf } from '@millrace/sources/kafka/message-batches';
import { expect, test } from 'vitest';

/** What OTLP messages of Kafka become. */

const headers = [[Buffer.from('h'), Buffer.from('v')]] as const;

test.each(formats)('the origin of a message is in the field resource.kafka: %s', (format) => {
  const request = {
    resourceLogs: [
      { resource: { attributes: [attribute('host.name', { stringValue: 'é' })] }, ...logs({}).resourceLogs[0] },
      logs({ body: { intValue: '1' } }).resourceLogs[0],
    ],
  };
  const messages = [5n, 6n].map((offset) => ({
    topic: 't',
    partition: 3,
    offset,
    timestamp: 0n,
    key: Buffer.from('k'),
    headers,
    value: Buffer.from(bodyOf('logs', format, request)),
  }));
  const { bodies, rejected } = bodiesOf(messages, { format: 'otlp-logs', timestampField: undefined });
  expect(rejected).toEqual([]);
  expect(bodies.map(({ content }) => content.contentType)).toEqual([format]);
  const { lines } = unpackOtlp(bodies[0]!.body, optionsOf('logs', format));
  const events = Buffer.from(lines)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(events.map((event) => event['resource.kafka'])).toEqual(
    [5, 5, 6, 6].map((offset) => ({ topic: 't', partition: 3, offset, key: 'k', headers: { h: 'v' } })),
  );
  expect(events.map((event) => event['resource.host.name'])).toEqual(['é', undefined, 'é', undefined]);
});
