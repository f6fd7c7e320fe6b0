import { expect, test } from 'vitest';
import { optionsOf, spans } from './testing/test-requests.js';
import { unpackOtlp } from './unpack.js';

/** Errors and alternative forms that only JSON has. */

const unpack = (body: string) => {
  const { lines, failures } = unpackOtlp(Buffer.from(body), optionsOf('traces', 'application/json'));
  return { text: Buffer.from(lines).toString(), failures: failures.map(({ error }) => error) };
};
const one = (span: object) => unpack(JSON.stringify(spans(span)));

test.each([
  [{ kind: 'SPAN_KIND_SERVER' }, '"kind":"server"'],
  [{ kind: '3' }, '"kind":"client"'],
  [{ status: { code: 'STATUS_CODE_ERROR' } }, '"error":true'],
  [{ traceId: 'ABCDEF' }, '"trace_id":"abcdef"'],
  [{ name: null, attributes: null, status: null }, '"name":""'],
  [{ unknown: [{}], name: 'n' }, '"name":"n"'],
  [{ name: 'lone \ud800' }, String.raw`"name":"lone \ud800"`],
  [{ attributes: [{ key: 'http.x', value: { stringValue: null, doubleValue: '1.5' } }] }, '"attributes.http.x":1.5'],
  [{ attributes: [{ key: 'http.x' }] }, '"attributes.http.x":null'],
])('%j is read as %s', (span, text) => expect(one(span).text).toContain(text));

test('64-bit integers may be numbers, and keep all digits', () => {
  const body = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":1790000000000000001,
    "attributes":[{"key":"http.x","value":{"intValue":-9223372036854775807}},{"key":"http.y","value":{"doubleValue":9007199254740993}}]}]}]}]}`;
  const { text } = unpack(body);
  expect(text).toContain('"_time":1790000000000000001,');
  expect(text).toContain('"attributes.http.x":-9223372036854775807,');
  expect(text).toContain('"attributes.http.y":9007199254740992.0');
});

test.each([
  [{ name: 5 }, 'name: expected a string, found 5'],
  [{ traceId: 'xyz' }, 'traceId: expected hexadecimal digits, found "xyz"'],
  [{ startTimeUnixNano: 'now' }, 'startTimeUnixNano: expected an integer, found "now"'],
  [{ startTimeUnixNano: -1 }, 'startTimeUnixNano: expected an integer from 0 to 18446744073709551615, found -1'],
  [{ flags: 1.5 }, 'flags: expected an integer, found 1.5'],
  [{ kind: 'SERVER' }, 'kind: expected 0 to 5 or SPAN_KIND_UNSPECIFIED to SPAN_KIND_CONSUMER, found "SERVER"'],
  [{ status: [] }, 'status: expected an object (Status), found a list'],
  [{ events: {} }, 'events: expected a list, found an object'],
  [{ links: [{}, { spanId: true }] }, 'links[1].spanId: expected a string, found true'],
  [{ attributes: [{ key: 1 }] }, 'attributes[0].key: expected a string, found 1'],
  [{ attributes: [{ key: 'a', value: 'b' }] }, 'attributes[0].value: expected an object (AnyValue), found "b"'],
  [
    { attributes: [{ value: { arrayValue: { values: [{ intValue: '1e3' }] } } }] },
    'attributes[0].value.arrayValue.values[0].intValue: expected an integer, found "1e3"',
  ],
  [
    { attributes: [{ value: { intValue: '9223372036854775808' } }] },
    'attributes[0].value.intValue: expected an integer from -9223372036854775808 to 9223372036854775807, found "9223372036854775808"',
  ],
  [{ attributes: [{ value: { boolValue: 1 } }] }, 'attributes[0].value.boolValue: expected true or false, found 1'],
  [
    { attributes: [{ value: { bytesValue: '"' } }] },
    String.raw`attributes[0].value.bytesValue: expected base64, found "\""`,
  ],
  [{ attributes: [{ value: { doubleValue: 'x' } }] }, 'attributes[0].value.doubleValue: expected a number, found "x"'],
])('the span %j fails alone: %s', (wrong, why) => {
  const { text, failures } = unpack(JSON.stringify(spans({ name: 'before' }, wrong, { name: 'behind' })));
  expect(failures).toEqual([`resource 0, scope 0, span 1: ${why}`]);
  expect(text.trimEnd().split('\n')).toHaveLength(2);
});

test.each([
  ['', 'the request body is not valid JSON: it ends too early; send one JSON value in UTF-8'],
  ['{"resourceSpans":', 'the request body is not valid JSON: it ends too early; send one JSON value in UTF-8'],
  [
    '[]',
    'the body is not a valid ExportTraceServiceRequest: expected an object (ExportTraceServiceRequest), found a list',
  ],
  [
    '{"resourceSpans":{}}',
    'the body is not a valid ExportTraceServiceRequest: resourceSpans: expected a list, found an object',
  ],
  [
    '{"resourceSpans":[1]}',
    'the body is not a valid ExportTraceServiceRequest: resource 0: expected an object (ResourceSpans), found 1',
  ],
  [
    '{"resourceSpans":[{"scopeSpans":[{"scope":{"name":1}}]}]}',
    'the body is not a valid ExportTraceServiceRequest: resource 0, scope 0: scope.name: expected a string, found 1',
  ],
  ['{"resourceLogs":[]}', 'expected resourceSpans, found resourceLogs; each signal has its own path and names'],
  ['{"resource_spans":[]}', 'expected resourceSpans, found resource_spans'],
  ['{"resourceSpans":[{},{"scope_spans":[{}]}]}', 'resource 1: expected scopeSpans, found scope_spans'],
  [
    '{"resourceSpans":[{"instrumentationLibrarySpans":[{}]}]}',
    'expected scopeSpans, found instrumentationLibrarySpans',
  ],
  ['{"resourceSpans":[{"scopeSpans":[{"logRecords":[{}]}]}]}', 'resource 0, scope 0: expected spans, found logRecords'],
])('the request %j is refused as a whole', (body, message) => expect(() => unpack(body)).toThrow(message));

test.each([
  '{"resourceSpans":[],"newer":[1]}',
  '{"newer":"x"}',
  '{"resourceSpans":[{"newer":{"list":[1]},"scopeSpans":[{"newer":1}]}]}',
])('members of newer versions are skipped: %j', (body) => expect(unpack(body)).toEqual({ text: '', failures: [] }));

test('nesting is bounded before anything is read', () => {
  const deep = `{"resourceSpans":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  expect(() => unpack(deep)).toThrow('it is nested deeper than 416 levels');
});
