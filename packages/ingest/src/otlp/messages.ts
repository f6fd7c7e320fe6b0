import { type DecodedMessage, message, type Names } from './message-schema.js';

/**
 * The messages of OTLP traces and logs, and those around metrics, declared once for the protobuf
 * and the JSON reader. Other fields are skipped. Numbers are those of opentelemetry-proto 1; `json`
 * is a field's name in its JSON if that differs from the key.
 */

const Resource = message('Resource', {
  attributes: { number: 1, kind: 'attributes' },
  droppedAttributesCount: { number: 2, kind: 'uint32' },
});
const Scope = message('InstrumentationScope', {
  name: { number: 1, kind: 'text' },
  version: { number: 2, kind: 'text' },
  attributes: { number: 3, kind: 'attributes' },
  droppedAttributesCount: { number: 4, kind: 'uint32' },
});

/**
 * The three levels above the records: their fields are the same in every signal, their names
 * differ.
 */
export const envelopes = {
  traces: envelopeOf('ExportTraceServiceRequest', ['ResourceSpans', 'ScopeSpans', 'spans']),
  logs: envelopeOf('ExportLogsServiceRequest', ['ResourceLogs', 'ScopeLogs', 'logRecords']),
  metrics: envelopeOf('ExportMetricsServiceRequest', ['ResourceMetrics', 'ScopeMetrics', 'metrics']),
} as const;

function envelopeOf(request: string, [resource, scope, records]: readonly [string, string, string]) {
  const plain = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
  return {
    request: message(request, { resources: { number: 1, kind: 'each', json: plain(resource) } }),
    resource: message(resource, {
      resource: { number: 1, kind: { one: Resource } },
      scopes: { number: 2, kind: 'each', json: plain(scope) },
      schemaUrl: { number: 3, kind: 'text' },
    }),
    scope: message(scope, {
      scope: { number: 1, kind: { one: Scope } },
      records: { number: 2, kind: 'each', json: records },
      schemaUrl: { number: 3, kind: 'text' },
    }),
  } as const;
}

export type ResourcePart = DecodedMessage<(typeof envelopes.traces.resource)['fields']>;
export type ScopePart = DecodedMessage<(typeof envelopes.traces.scope)['fields']>;

export const spanKinds: Names = {
  prefix: 'SPAN_KIND_',
  names: ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'],
};
export const statusCodes: Names = { prefix: 'STATUS_CODE_', names: ['unset', 'ok', 'error'] };
const severities: Names = {
  prefix: 'SEVERITY_NUMBER_',
  names: [
    'unspecified',
    ...['trace', 'debug', 'info', 'warn', 'error', 'fatal'].flatMap((name) =>
      ['', '2', '3', '4'].map((step) => name + step),
    ),
  ],
};

const SpanEvent = message('Event', {
  timeUnixNano: { number: 1, kind: 'time' },
  name: { number: 2, kind: 'text' },
  attributes: { number: 3, kind: 'attributes' },
  droppedAttributesCount: { number: 4, kind: 'uint32' },
});
const SpanLink = message('Link', {
  traceId: { number: 1, kind: 'id' },
  spanId: { number: 2, kind: 'id' },
  traceState: { number: 3, kind: 'text' },
  attributes: { number: 4, kind: 'attributes' },
  droppedAttributesCount: { number: 5, kind: 'uint32' },
  flags: { number: 6, kind: 'fixed32' },
});
const Status = message('Status', {
  message: { number: 2, kind: 'text' },
  code: { number: 3, kind: statusCodes },
});

export const Span = message('Span', {
  traceId: { number: 1, kind: 'id' },
  spanId: { number: 2, kind: 'id' },
  traceState: { number: 3, kind: 'text' },
  parentSpanId: { number: 4, kind: 'id' },
  name: { number: 5, kind: 'text' },
  kind: { number: 6, kind: spanKinds },
  startTimeUnixNano: { number: 7, kind: 'time' },
  endTimeUnixNano: { number: 8, kind: 'time' },
  attributes: { number: 9, kind: 'attributes' },
  droppedAttributesCount: { number: 10, kind: 'uint32' },
  events: { number: 11, kind: { many: SpanEvent } },
  droppedEventsCount: { number: 12, kind: 'uint32' },
  links: { number: 13, kind: { many: SpanLink } },
  droppedLinksCount: { number: 14, kind: 'uint32' },
  status: { number: 15, kind: { one: Status } },
  flags: { number: 16, kind: 'fixed32' },
});

export const LogRecord = message('LogRecord', {
  timeUnixNano: { number: 1, kind: 'time' },
  severityNumber: { number: 2, kind: severities },
  severityText: { number: 3, kind: 'text' },
  body: { number: 5, kind: 'value' },
  attributes: { number: 6, kind: 'attributes' },
  droppedAttributesCount: { number: 7, kind: 'uint32' },
  flags: { number: 8, kind: 'fixed32' },
  traceId: { number: 9, kind: 'id' },
  spanId: { number: 10, kind: 'id' },
  observedTimeUnixNano: { number: 11, kind: 'time' },
  eventName: { number: 12, kind: 'text' },
});

export type SpanPart = DecodedMessage<(typeof Span)['fields']>;
export type LogRecordPart = DecodedMessage<(typeof LogRecord)['fields']>;

/** The ways an AnyValue can be set: the name in JSON and the number in protobuf. */
export const anyValue = {
  stringValue: 1,
  boolValue: 2,
  intValue: 3,
  doubleValue: 4,
  arrayValue: 5,
  kvlistValue: 6,
  bytesValue: 7,
} as const;
