import { ColumnBudget, DEFAULT_LIMITS, encodeJson, serializeBlock } from '@millrace/events';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HttpError } from '@millrace/api/errors';
import { encodeMetrics } from './metrics/encode-metrics.js';
import type { EventSignal } from './signal.js';
import { metricsOf } from './testing/metrics.js';
import { bodyOf, type Format, formats, logs, optionsOf, spans } from './testing/test-requests.js';
import { unpackOtlp } from './unpack.js';

/**
 * `FUZZ_RUNS=10000 FUZZ_SEED=$RANDOM npx vitest run otlp/robustness` runs longer and with other
 * inputs.
 */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 60);
const runs = { numRuns, seed: Number(process.env['FUZZ_SEED'] ?? 7) };
const timeout = 30_000 + numRuns * 50;

/**
 * Result of a body: parsed bodies become lines of JSON with one event each; others are rejected as
 * client errors.
 */
function outcome(signal: EventSignal, format: Format, body: Uint8Array): string {
  try {
    const { lines } = unpackOtlp(body, optionsOf(signal, format));
    const { failures } = encodeJson(lines, {
      arrivalTime: 0n,
      mapFields: new Set(['attributes.custom']),
      placement: new ColumnBudget(),
      limits: DEFAULT_LIMITS,
    });
    return failures.length === 0 ? 'read' : failures[0]!.error;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return error.code;
  }
}

const value: fc.Arbitrary<object> = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ stringValue: fc.string({ unit: 'grapheme' }) }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) }),
    fc.record({ doubleValue: fc.double().map(String) }),
    fc.record({ bytesValue: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')) }),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('value')) }) }),
    fc.record({ kvlistValue: fc.record({ values: fc.array(fc.record({ key: fc.string(), value: tie('value') })) }) }),
  ),
})).value;
const attributes = fc.array(fc.record({ key: fc.string({ unit: 'grapheme' }), value }));
const id = fc.uint8Array({ maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const time = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
const count = fc.nat();

const requests: Readonly<Record<EventSignal, fc.Arbitrary<object>>> = {
  traces: fc
    .array(
      fc.record(
        {
          traceId: id,
          name: fc.string({ unit: 'grapheme' }),
          kind: fc.nat(7),
          startTimeUnixNano: time,
          endTimeUnixNano: time,
          attributes,
          events: fc.array(fc.record({ timeUnixNano: time, name: fc.string(), attributes }), { maxLength: 3 }),
          links: fc.array(fc.record({ traceId: id, spanId: id, attributes, flags: count }), { maxLength: 3 }),
          status: fc.record({ code: fc.nat(3), message: fc.string() }),
          droppedLinksCount: count,
        },
        { requiredKeys: [] },
      ),
      { maxLength: 5 },
    )
    .map((records) => spans(...records)),
  logs: fc
    .array(
      fc.record(
        {
          timeUnixNano: time,
          observedTimeUnixNano: time,
          severityNumber: fc.nat(30),
          body: value,
          attributes,
          spanId: id,
        },
        { requiredKeys: [] },
      ),
      { maxLength: 5 },
    )
    .map((records) => logs(...records)),
};

const number = fc.double({ noNaN: true }).map(String);
const total = fc.nat().map(String);
const point = { timeUnixNano: time, attributes, flags: fc.nat(1) };
const points = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record({
    dataPoints: fc.array(fc.record({ ...point, ...members }, { requiredKeys: [] }), { maxLength: 3 }),
    aggregationTemporality: fc.nat(2),
  });
const buckets = fc.record({ offset: fc.integer({ min: -50, max: 50 }), bucketCounts: fc.array(total) });
const metric: fc.Arbitrary<object> = fc
  .record({
    name: fc.string({ unit: 'grapheme' }),
    data: fc.oneof(
      fc.record({ sum: points({ asDouble: number }) }),
      fc.record({ sum: points({ asInt: fc.integer().map(String) }) }),
      fc.record({
        histogram: points({
          count: total,
          sum: number,
          bucketCounts: fc.array(total),
          explicitBounds: fc.array(number),
        }),
      }),
      fc.record({
        exponentialHistogram: points({
          count: total,
          scale: fc.integer({ min: -10, max: 20 }),
          zeroCount: total,
          positive: buckets,
          negative: buckets,
        }),
      }),
    ),
  })
  .map(({ name, data }) => ({ name, ...data }));

const metrics = fc.array(metric, { maxLength: 5 }).map((all) => metricsOf(all));

/** The rows of metrics as bytes, or why they were rejected. */
function metricsOutcome(format: Format, body: Uint8Array): string {
  try {
    const { block, failed, failures } = encodeMetrics(body, {
      ...optionsOf('logs', format),
      placement: new ColumnBudget(),
    });
    return `${Buffer.from(serializeBlock(block)).toString('base64')} ${failed} ${failures.map(({ error }) => error).join()}`;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return error.code;
  }
}

describe('metrics', () => {
  test('both formats of a request are the same rows', () =>
    fc.assert(
      fc.property(metrics, (request) => {
        const [json, protobuf] = formats.map((format) => metricsOutcome(format, bodyOf('metrics', format, request)));
        expect(protobuf).toBe(json);
      }),
      runs,
    ));

  test.each(formats)('any damage of %s is read or refused', (format) =>
    fc.assert(
      fc.property(metrics, fc.nat(), fc.nat(255), (request, at, byte) => {
        const body = Buffer.from(bodyOf('metrics', format, request));
        if (body.length > 0) body[at % body.length] = byte;
        expect(metricsOutcome(format, body)).toMatch(/^(invalid-request|invalid-json|\S* \d+ )/);
      }),
      runs,
    ),
  );
});

const readOrRefused = /^(read|invalid-request|invalid-json)$/;

describe.each(Object.keys(requests) as readonly EventSignal[])('%s', (signal) => {
  test(
    'both formats of a request are the same events',
    () =>
      fc.assert(
        fc.property(requests[signal], (request) => {
          const [json, protobuf] = formats.map((format) =>
            Buffer.from(unpackOtlp(bodyOf(signal, format, request), optionsOf(signal, format)).lines).toString(),
          );
          expect(protobuf).toBe(json);
        }),
        runs,
      ),
    timeout,
  );

  describe.each(formats)('%s', (format) => {
    test(
      'any bytes',
      () =>
        fc.assert(
          fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
            expect(outcome(signal, format, body)).toMatch(readOrRefused);
          }),
          runs,
        ),
      timeout,
    );

    test(
      'a truncated or bit-flipped request',
      () =>
        fc.assert(
          fc.property(requests[signal], fc.nat(), fc.array(fc.nat(), { maxLength: 4 }), (request, cut, bits) => {
            const body = Uint8Array.from(bodyOf(signal, format, request));
            expect(outcome(signal, format, body.subarray(0, cut % (body.length + 1)))).toMatch(readOrRefused);
            for (const bit of bits) {
              const at = bit % (8 * body.length || 1);
              if (body.length > 0) body[at >> 3]! ^= 1 << (at & 7);
            }
            expect(outcome(signal, format, body)).toMatch(readOrRefused);
          }),
          runs,
        ),
      timeout,
    );
  });
});
