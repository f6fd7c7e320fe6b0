import { DEFAULT_LIMITS } from '@millrace/events';
import { envelopes } from '../messages.js';
import type { EventSignal, Signal } from '../signal.js';
import { type UnpackOptions, unpackOtlp } from '../unpack.js';
import { protobufOf } from './otlp-protobuf.js';

/** Test requests, and the events they are unpacked to. */

export const arrival = 1_790_000_000_000_000_000n;

export const optionsOf = (
  signal: EventSignal,
  contentType: string,
  changes: Partial<UnpackOptions> = {},
): UnpackOptions => ({
  signal,
  contentType,
  arrivalTime: arrival,
  limits: DEFAULT_LIMITS,
  mapFields: new Set(['attributes.custom']),
  maxEventBytes: 1 << 24,
  ...changes,
});

export const formats = ['application/json', 'application/x-protobuf'] as const;
export type Format = (typeof formats)[number];

export const bodyOf = (signal: Signal, format: Format, request: object): Uint8Array =>
  format === 'application/json'
    ? Buffer.from(JSON.stringify(request))
    : protobufOf(envelopes[signal].request.name as Parameters<typeof protobufOf>[0], request);

/** A request with only these spans. */
export const spans = (...records: readonly object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans: records }] }] });
/** A request with only these log records. */
export const logs = (...records: readonly object[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] });

export const attribute = (key: string, value: object) => ({ key, value });

/** The lines of a request. */
export function linesOf(signal: EventSignal, format: Format, request: object, changes: Partial<UnpackOptions> = {}) {
  const { lines, failures } = unpackOtlp(bodyOf(signal, format, request), optionsOf(signal, format, changes));
  const texts = Buffer.from(lines).toString().trimEnd().split('\n');
  return { texts, failures: failures.map(({ error }) => error) };
}

/** The only event of a request, parsed; numbers are for looking at, not for exactness. */
export const eventOf = (signal: EventSignal, format: Format, request: object): Record<string, unknown> =>
  JSON.parse(linesOf(signal, format, request).texts[0]!) as Record<string, unknown>;
