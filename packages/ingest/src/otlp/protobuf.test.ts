import { expect, test } from 'vitest';
import { lengthDelimitedField, protobufOf, tag, varint } from './testing/otlp-protobuf.js';
import { optionsOf, spans } from './testing/test-requests.js';
import { unpackOtlp } from './unpack.js';

/** Errors that only the binary form has. */

const unpack = (body: Uint8Array): string =>
  Buffer.from(unpackOtlp(body, optionsOf('traces', 'application/x-protobuf')).lines).toString();

/** A request of one span with these bytes; they stand at byte 6 if they are few. */
const spanOf = (...parts: readonly Uint8Array[]) =>
  lengthDelimitedField(1, lengthDelimitedField(2, lengthDelimitedField(2, Buffer.concat(parts))));

const place = 'the body is not a valid ExportTraceServiceRequest: resource 0, scope 0, span 0: ';

test.each<[string, Uint8Array, string]>([
  [
    'a string longer than its message',
    spanOf(tag(5, 2), varint(40n), Buffer.from('GET')),
    `${place}byte 7, Span.name: a length of 40 bytes is announced and 3 are left`,
  ],
  [
    'a time cut short',
    spanOf(tag(7, 1), Buffer.alloc(3)),
    `${place}byte 7, Span.startTimeUnixNano: expected 8 bytes, and 3 are left`,
  ],
  [
    'a number cut short',
    spanOf(tag(6, 0), Buffer.from([0x80])),
    `${place}byte 7, Span.kind: it ends in the middle of a number`,
  ],
  [
    'a number without end',
    spanOf(tag(6, 0), Buffer.alloc(11, 0x80)),
    `${place}byte 7, Span.kind: a number has more than ten bytes`,
  ],
  [
    'a string where a number belongs',
    spanOf(lengthDelimitedField(6, Buffer.from('x'))),
    `${place}byte 7, Span.kind: expected a varint, found a length and bytes`,
  ],
  ['field 0', spanOf(Buffer.from([0x02])), `${place}byte 6, Span: this is not the tag of a field`],
  ['a group', spanOf(tag(90, 3)), `${place}byte 8, Span, field 90: wire type 3 is not used in OTLP`],
  [
    'a value cut short',
    spanOf(lengthDelimitedField(9, lengthDelimitedField(2, tag(4, 1)))),
    `${place}byte 11, AnyValue.doubleValue: expected 8 bytes, and 0 are left`,
  ],
])('%s: the error names the byte and the field', (_, body, message) => expect(() => unpack(body)).toThrow(message));

test('a request cut short says where it ends', () => {
  const body = protobufOf('ExportTraceServiceRequest', spans({ name: 'n' }));
  expect(() => unpack(body.subarray(0, -1))).toThrow(
    /^the body is not a valid ExportTraceServiceRequest: byte 1, ExportTraceServiceRequest.resourceSpans: a length of \d+ bytes is announced and \d+ are left$/,
  );
});

test('logs that were sent as traces are not taken for spans', () => {
  const body = protobufOf('ExportLogsServiceRequest', {
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: 1 }] }] }],
  });
  expect(() => unpack(body)).toThrow(`${place}byte 7, Span.traceId: expected a length and bytes, found 8 bytes`);
});

test('unknown fields are skipped, whatever their type', () => {
  const foreign = [
    Buffer.concat([tag(1000, 0), varint(-1n)]),
    Buffer.concat([tag(1001, 1), Buffer.alloc(8)]),
    lengthDelimitedField(1002, Buffer.from('x')),
    Buffer.concat([tag(1003, 5), Buffer.alloc(4)]),
  ];
  expect(unpack(spanOf(...foreign, lengthDelimitedField(5, Buffer.from('n')), ...foreign))).toContain('"name":"n"');
});

test('invalid UTF-8 becomes U+FFFD', () =>
  expect(unpack(spanOf(lengthDelimitedField(5, Buffer.from([0x61, 0xff, 0x62]))))).toContain('"name":"a\ufffdb"'));

test('the last value of a repeated field counts', () =>
  expect(
    unpack(spanOf(lengthDelimitedField(5, Buffer.from('a')), lengthDelimitedField(5, Buffer.from('b')))),
  ).toContain('"name":"b"'));

test('a repeated message is merged: lists are joined, and the last value of other fields counts', () => {
  const attribute = (key: string) => lengthDelimitedField(9, lengthDelimitedField(1, Buffer.from(key)));
  const resource = (...keys: readonly string[]) =>
    lengthDelimitedField(
      1,
      Buffer.concat(keys.map((key) => lengthDelimitedField(1, lengthDelimitedField(1, Buffer.from(key))))),
    );
  const status = (...parts: readonly Uint8Array[]) => lengthDelimitedField(15, Buffer.concat(parts));
  const text = lengthDelimitedField(2, Buffer.from('kept'));
  const span = [attribute('http.x'), status(text, tag(3, 0), varint(1n)), status(tag(3, 0), varint(2n))];
  const scope = lengthDelimitedField(2, lengthDelimitedField(2, Buffer.concat(span)));
  const read = unpack(lengthDelimitedField(1, Buffer.concat([resource('one'), scope, resource('two')])));
  for (const part of ['"resource.one":null', '"resource.two":null', '"kept"', '"error":true'])
    expect(read).toContain(part);
});

test('equal texts share an entry, and similar ones do not', () => {
  const names = Array.from({ length: 5000 }, (_, i) => `name ${i % 700}${'x'.repeat(i % 90)}`);
  const body = protobufOf('ExportTraceServiceRequest', spans(...names.map((name) => ({ name }))));
  const read = unpack(body).trimEnd().split('\n');
  expect(read.map((line) => (JSON.parse(line) as { readonly name: string }).name)).toEqual(names);
});
