import { DEFAULT_LIMITS } from '@millrace/events';
import { describe, expect, test } from 'vitest';
import { lengthDelimitedField } from './testing/otlp-protobuf.js';
import {
  arrival,
  attribute,
  eventOf,
  type Format,
  formats,
  linesOf,
  logs,
  optionsOf,
  spans,
} from './testing/test-requests.js';
import { unpackOtlp } from './unpack.js';

const traceId = '5b8efff798038103d269b633813fc60c';
const spanId = 'eee19b7ec3c1b174';
const start = '1790000000000000001';

describe.each(formats)('%s', (format) => {
  const span = (more: object) => eventOf('traces', format, spans({ startTimeUnixNano: start, name: 'n', ...more }));
  const log = (more: object) => eventOf('logs', format, logs({ timeUnixNano: start, ...more }));
  /** A span attribute with this value, as JSON text. */
  const valueOf = (value: object): string => {
    const { texts } = linesOf('traces', format, spans({ attributes: [attribute('http.x', value)] }));
    return /"attributes.http.x":(.*)\}$/.exec(texts[0]!)![1]!;
  };

  test('a span has every field it was sent with', () => {
    const { texts } = linesOf('traces', format, {
      resourceSpans: [
        {
          resource: {
            attributes: [
              attribute('service.name', { stringValue: 'shop' }),
              attribute('telemetry.sdk.language', { stringValue: 'nodejs' }),
              attribute('host.name', { stringValue: 'web-1' }),
              attribute('team', { stringValue: 'blue' }),
            ],
            droppedAttributesCount: 1,
          },
          schemaUrl: 'https://example.org/r',
          scopeSpans: [
            {
              scope: {
                name: 'lib',
                version: '1.2',
                attributes: [attribute('short', { boolValue: true })],
                droppedAttributesCount: 2,
              },
              schemaUrl: 'https://example.org/s',
              spans: [
                {
                  traceId,
                  spanId,
                  parentSpanId: '00f067aa0ba902b7',
                  traceState: 'a=b',
                  name: 'GET /cart',
                  kind: 2,
                  startTimeUnixNano: start,
                  endTimeUnixNano: '1790000000000500003',
                  attributes: [
                    attribute('http.request.method', { stringValue: 'GET' }),
                    attribute('cart.items', { intValue: '3' }),
                    attribute('vip', { boolValue: false }),
                  ],
                  droppedAttributesCount: 3,
                  events: [
                    {
                      timeUnixNano: '1790000000000100002',
                      name: 'retry',
                      attributes: [attribute('attempt', { intValue: '1' })],
                      droppedAttributesCount: 4,
                    },
                    {},
                  ],
                  droppedEventsCount: 5,
                  links: [
                    {
                      traceId,
                      spanId,
                      traceState: 'c=d',
                      attributes: [attribute('k', { doubleValue: 1 })],
                      droppedAttributesCount: 6,
                      flags: 1,
                    },
                  ],
                  droppedLinksCount: 7,
                  status: { code: 2, message: 'broken' },
                  flags: 257,
                },
              ],
            },
          ],
        },
      ],
    });
    expect(texts).toHaveLength(1);
    // As text: 64-bit numbers would not survive parsing.
    expect(texts[0]!.replaceAll(/,(?=")/g, ',\n')).toMatchInlineSnapshot(`
      "{"_time":1790000000000000001,
      "trace_id":"5b8efff798038103d269b633813fc60c",
      "span_id":"eee19b7ec3c1b174",
      "parent_span_id":"00f067aa0ba902b7",
      "trace_state":"a=b",
      "name":"GET /cart",
      "kind":"server",
      "duration":500002,
      "status.code":"ERROR",
      "status.message":"broken",
      "error":true,
      "events":[{"name":"retry",
      "timestamp":"2026-09-21T14:13:20.000100002Z",
      "attributes":{"attempt":1},
      "dropped_attributes_count":4},{"name":""}],
      "links":[{"trace_id":"5b8efff798038103d269b633813fc60c",
      "span_id":"eee19b7ec3c1b174",
      "trace_state":"c=d",
      "attributes":{"k":1.0},
      "flags":1,
      "dropped_attributes_count":6}],
      "flags":257,
      "dropped_attributes_count":3,
      "dropped_events_count":5,
      "dropped_links_count":7,
      "attributes.http.request.method":"GET",
      "attributes.custom":{"cart.items":3,
      "vip":false},
      "scope.schema_url":"https://example.org/s",
      "scope.name":"lib",
      "scope.version":"1.2",
      "scope.dropped_attributes_count":2,
      "scope.attributes.short":true,
      "resource.schema_url":"https://example.org/r",
      "resource.dropped_attributes_count":1,
      "service.name":"shop",
      "telemetry.sdk.language":"nodejs",
      "resource.host.name":"web-1",
      "resource.team":"blue"}"
    `);
  });

  test('what was not sent is not there', () =>
    expect(span({ kind: 0 })).toEqual({
      _time: Number(start),
      name: 'n',
      kind: 'unspecified',
      'status.code': 'UNSET',
      error: false,
    }));

  test('times keep every nanosecond', () => {
    const { texts } = linesOf(
      'traces',
      format,
      spans(
        { startTimeUnixNano: start, endTimeUnixNano: '1790000000000000002' },
        { startTimeUnixNano: '1', endTimeUnixNano: '9223372036854775807' },
        { endTimeUnixNano: start },
        { startTimeUnixNano: start, endTimeUnixNano: '1790000000000000000' },
      ),
    );
    expect(texts.map((text) => /"_time":([^,]*)(?:.*("duration":-?\d+))?/.exec(text)!.slice(1))).toEqual([
      [start, '"duration":1'],
      ['"1970-01-01T00:00:00.000000001Z"', '"duration":9223372036854775806'],
      // Without a start it is when it arrived, and has no length.
      [String(arrival), undefined],
      // The clock was set back; stored as sent.
      [start, '"duration":-1'],
    ]);
  });

  test.each([
    [{ stringValue: 'é "\\\n\u0000 😀' }, String.raw`"é \"\\\n\u0000 😀"`],
    [{ stringValue: '' }, '""'],
    [{ boolValue: true }, 'true'],
    [{ boolValue: false }, 'false'],
    [{ intValue: '0' }, '0'],
    [{ intValue: '4294967296' }, '4294967296'],
    [{ intValue: '9223372036854775807' }, '9223372036854775807'],
    [{ intValue: '-9223372036854775808' }, '-9223372036854775808'],
    [{ intValue: '-1' }, '-1'],
    [{ doubleValue: 1 }, '1.0'],
    [{ doubleValue: 0.1 }, '0.1'],
    [{ doubleValue: 1e300 }, '1e+300'],
    // JSON cannot represent these numbers; they become strings.
    [{ doubleValue: 'NaN' }, '"NaN"'],
    [{ doubleValue: 'Infinity' }, '"Infinity"'],
    [{ doubleValue: '-Infinity' }, '"-Infinity"'],
    [{ bytesValue: 'AP8=' }, '"AP8="'],
    [{ arrayValue: {} }, '[]'],
    [{ arrayValue: { values: [{ intValue: '1' }, {}, { stringValue: 'a' }] } }, '[1,null,"a"]'],
    [{ kvlistValue: { values: [] } }, '{}'],
    [{ kvlistValue: { values: [attribute('a', { intValue: '1' }), attribute('b', {})] } }, '{"a":1,"b":null}'],
    // The last of equal names wins, although the value is not parsed again.
    [{ kvlistValue: { values: [attribute('a', { intValue: '1' }), attribute('a', { intValue: '2' })] } }, '{"a":2}'],
    [{}, 'null'],
  ])('the value %j', (value, text) => expect(valueOf(value)).toBe(text));

  test('a string too long to be stored keeps its beginning', () => {
    const { texts } = linesOf(
      'traces',
      format,
      spans({ attributes: [attribute('http.x', { stringValue: 'x'.repeat((1 << 20) + 1) })] }),
    );
    const kept = 'x'.repeat(1_000_000 - 41);
    expect(texts[0]).toContain(`"attributes.http.x":"${kept}<invalid string: too long, 1048577 bytes>"`);
  });

  test.each([
    ['a string', { stringValue: 'ab€𝄞' }, 9, '"ab€𝄞"'],
    ['a string of ASCII', { stringValue: 'abcd' }, 4, '"abcd"'],
    ['bytes', { bytesValue: 'AP8AAA==' }, 4, '"AP8AAA=="'],
  ])('the limit of %s counts bytes of what it holds', (_, value, size, text) => {
    const request = spans({ attributes: [attribute('http.x', value)] });
    const read = (maxValueBytes: number) =>
      linesOf('traces', format, request, { limits: { ...DEFAULT_LIMITS, maxValueBytes } }).texts[0];
    expect(read(size)).toContain(`"attributes.http.x":${text}`);
    expect(read(size - 1)).toContain(`"attributes.http.x":"<invalid string: too long, ${size} bytes>"`);
  });

  test('values nested deeper than the limit are null, however deep they are', () => {
    let value: object = { intValue: '1' };
    for (let depth = 0; depth < 60; depth++)
      value =
        depth % 2 === 0 ? { arrayValue: { values: [value] } } : { kvlistValue: { values: [{ key: 'k', value }] } };
    expect(valueOf(value)).toMatch(/^\{"k":\[.*1.*\]\}$/);
    for (let depth = 0; depth < 50; depth++) value = { arrayValue: { values: [value] } };
    expect(valueOf(value)).toMatch(/^\[+\{.*null.*\}\]+$/);
  });

  test.each([
    ['the deepest values a setting allows', 1000, '{"":"x"}'],
    ['far deeper ones', 5000, 'null'],
  ])('%s do not exhaust the stack', (_, levels, inside) => {
    const options = optionsOf('logs', format, { limits: { ...DEFAULT_LIMITS, maxJsonDepth: 1000 } });
    const unpack = () => Buffer.from(unpackOtlp(deepBody(format, levels), options).lines).toString();
    // JSON so deep is no JSON that is read.
    if (format === 'application/json' && inside === 'null')
      expect(unpack).toThrow('it is nested deeper than 4016 levels');
    else expect(unpack().replaceAll(/[[\]]/g, '')).toContain(`"body":${inside}}`);
  });

  test('nonstandard attributes are entries of one map; the last value of a key counts', () =>
    expect(
      span({
        attributes: [
          attribute('cart.items', { intValue: '1' }),
          attribute('http.route', { stringValue: '/' }),
          attribute('cart.items', { intValue: '2' }),
          attribute('error.type', { stringValue: 'E' }),
          attribute('custom', { stringValue: 'c' }),
          attribute('', { stringValue: 'nameless' }),
          attribute('__proto__', { stringValue: 'p' }),
        ],
      }),
    ).toMatchObject({
      'attributes.http.route': '/',
      'attributes.error.type': 'E',
      'attributes.custom': JSON.parse('{"cart.items":2,"custom":"c","":"nameless","__proto__":"p"}') as object,
    }));

  test('kinds and codes that have no name yet are their number', () =>
    expect(span({ kind: 9, status: { code: 7 } })).toMatchObject({ kind: '9', 'status.code': '7', error: false }));

  test('ids of zeros are none', () => {
    const event = span({ traceId, parentSpanId: '0000000000000000' });
    expect(event).toMatchObject({ trace_id: traceId });
    expect(event).not.toHaveProperty('parent_span_id');
  });

  test('a log record has every field it was sent with', () =>
    expect(
      log({
        observedTimeUnixNano: '1790000000000000002',
        severityNumber: 9,
        severityText: 'INFO',
        body: { stringValue: 'hello' },
        attributes: [attribute('log.file.name', { stringValue: 'a.log' }), attribute('x', { intValue: '1' })],
        droppedAttributesCount: 1,
        flags: 1,
        traceId,
        spanId,
        eventName: 'greeting',
      }),
    ).toEqual({
      _time: Number(start),
      observed_time: '2026-09-21T14:13:20.000000002Z',
      severity_number: 9,
      severity_text: 'INFO',
      body: 'hello',
      event_name: 'greeting',
      trace_id: traceId,
      span_id: spanId,
      flags: 1,
      dropped_attributes_count: 1,
      'attributes.log.file.name': 'a.log',
      'attributes.custom': { x: 1 },
    }));

  test.each([
    [{ timeUnixNano: start, observedTimeUnixNano: start }, start],
    [{ observedTimeUnixNano: start }, start],
    [{}, String(arrival)],
  ])('a log record of %j happened at %s', (times, time) => {
    const { texts } = linesOf('logs', format, logs(times));
    expect(texts).toEqual([`{"_time":${time}}`]);
  });

  test.each([
    [{ kvlistValue: { values: [attribute('a', { intValue: '1' })] } }, { a: 1 }],
    [{ arrayValue: { values: [{ boolValue: true }] } }, [true]],
    [{ intValue: '5' }, 5],
  ])('the body %j is the value it stands for', (body, value) => expect(log({ body })).toMatchObject({ body: value }));

  test('a record whose time cannot be stored fails alone and is named by its place', () => {
    const { texts, failures } = linesOf('traces', format, {
      resourceSpans: [
        {},
        { scopeSpans: [{}, { spans: [{ name: 'a' }, { startTimeUnixNano: '9223372036854775808' }, { name: 'c' }] }] },
      ],
    });
    expect(texts.map((text) => /"name":"(.)"/.exec(text)![1])).toEqual(['a', 'c']);
    expect(failures).toEqual([
      'resource 1, scope 1, span 1: startTimeUnixNano: 9223372036854775808 ns is after what can be stored (2262-04-11T23:47:16.854775807Z)',
    ]);
  });

  test('records may not take many times the memory of the request', () => {
    const request = {
      resourceSpans: [
        {
          resource: { attributes: [attribute('service.name', { stringValue: 'x'.repeat(10_000) })] },
          scopeSpans: [{ spans: Array.from({ length: 2000 }, () => ({ kind: 1 })) }],
        },
      ],
    };
    expect(() => linesOf('traces', format, request)).toThrow(
      'the spans in this request exceed 16777216 bytes, including resource and scope attributes; send them in several requests',
    );
    expect(linesOf('traces', format, request, { maxEventBytes: 1 << 25 }).texts).toHaveLength(2000);
  });

  test('a request without anything has no events', () =>
    expect(linesOf('logs', format, {})).toEqual({ texts: [''], failures: [] }));
});

/**
 * A log record whose body is a deeply nested list, with an object inside; built without recursion,
 * as its parser must be.
 */
function deepBody(format: Format, levels: number): Uint8Array {
  if (format === 'application/json') {
    const object = '{"kvlistValue":{"values":[{"value":{"stringValue":"x"}}]}}';
    const body = `${'{"arrayValue":{"values":['.repeat(levels - 1)}${object}${']}}'.repeat(levels - 1)}`;
    return Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${body}}]}]}]}`);
  }
  let value = lengthDelimitedField(
    6,
    lengthDelimitedField(1, lengthDelimitedField(2, lengthDelimitedField(1, Buffer.from('x')))),
  );
  for (let level = 1; level < levels; level++) value = lengthDelimitedField(5, lengthDelimitedField(1, value));
  return lengthDelimitedField(1, lengthDelimitedField(2, lengthDelimitedField(2, lengthDelimitedField(5, value))));
}
