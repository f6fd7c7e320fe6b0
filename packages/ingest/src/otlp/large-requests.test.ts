import { expect, test } from 'vitest';
import { bodyOf, type Format, formats, optionsOf, spans } from './testing/test-requests.js';
import { unpackOtlp } from './unpack.js';

/**
 * A request is never completely in memory as objects: they would exhaust the heap of the thread,
 * and if that happens within `JSON.parse` the process ends.
 */

/** A span with this length in JSON. */
const longSpan = (bytes: number) => ({
  name: 'long',
  attributes: [{ key: 'k', value: { stringValue: 'x'.repeat(bytes) } }],
});

test.each(formats)('%s: a record of more than 8 MiB is refused alone', (format: Format) => {
  const body = bodyOf('traces', format, spans({ name: 'a' }, longSpan(8 << 20), longSpan(7 << 20)));
  const { lines, failures } = unpackOtlp(body, optionsOf('traces', format));
  expect(
    Buffer.from(lines)
      .toString()
      .match(/"name":"\w+"/g),
  ).toEqual(['"name":"a"', '"name":"long"']);
  expect(failures.map(({ error }) => error)).toEqual([
    expect.stringMatching(/^resource 0, scope 0, span 1: expected at most 8388608 bytes, found 8388\d{3}$/),
  ]);
});

test.each(formats)('%s: the bytes around records are limited too; an excess rejects the request', (format: Format) => {
  const resource = { attributes: longSpan(8 << 20).attributes };
  const unpack = (more: object) =>
    unpackOtlp(bodyOf('traces', format, { resourceSpans: [{ ...more, scopeSpans: [] }] }), optionsOf('traces', format));
  expect(() => unpack({ resource })).toThrow('resource 0: expected at most 8388608 bytes');
});

test('all parts of a resource count together', () => {
  const part = { attributes: longSpan(3 << 20).attributes };
  const body = bodyOf('traces', 'application/x-protobuf', { resourceSpans: [{ resource: [part, part, part] }] });
  expect(() => unpackOtlp(body, optionsOf('traces', 'application/x-protobuf'))).toThrow('expected at most 8388608');
});

test('records are read one by one: many are little memory at once', () => {
  const records = 300_000;
  const body = Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${'{},'.repeat(records - 1)}{}]}]}]}`);
  let largest = 0;
  const parse = JSON.parse;
  JSON.parse = (text: string, ...more) => {
    largest = Math.max(largest, text.length);
    return parse(text, ...more) as unknown;
  };
  try {
    const { lines } = unpackOtlp(body, optionsOf('logs', 'application/json'));
    expect(lines.filter((byte) => byte === 10)).toHaveLength(records);
  } finally {
    JSON.parse = parse;
  }
  expect(largest).toBeLessThan(100);
});

test.each([
  ['{"a":x}', "unexpected 'x' in the value at position 49"],
  ['{"a" "b"}', 'unexpected text at position 54'],
])('an error within a record has its place in the body: %s', (record, problem) => {
  const body = Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{},${record}]}]}]}`);
  expect(() => unpackOtlp(body, optionsOf('logs', 'application/json'))).toThrow(problem);
});
