import type { AttributeKey } from './attribute-keys.js';
import { type Instant, noInstant } from './instant.js';
import type { JsonBytes, Piece } from './json-bytes.js';

/**
 * The messages of OTLP traces and logs, declared once for both readers, that of protobuf and that of JSON. Fields that are not listed are skipped.
 * Numbers are those of opentelemetry-proto 1; `json` is a field's name in its JSON where that differs from the key.
 */

/** What a field holds. A field that was not sent has protobuf's default value for it. */
export type Kind =
  | 'text'
  /** Bytes that identify something; hexadecimal in JSON, and after reading. */
  | 'id'
  /** A varint of 32 bits. */
  | 'uint32'
  /** Four bytes. */
  | 'fixed32'
  /** Nanoseconds since the epoch, eight bytes. */
  | 'time'
  /** An AnyValue, which becomes JSON when it is read. */
  | 'value'
  /** A list of KeyValue messages. */
  | 'attributes'
  | Names
  | { readonly one: Message }
  | { readonly many: Message }
  /** Messages that are read later, one by one. */
  | 'each';

/** The names of an enumeration, by their numbers; in JSON they have a prefix. */
export interface Names {
  readonly prefix: string;
  readonly names: readonly string[];
}

export interface Field<K extends Kind = Kind> {
  readonly number: number;
  readonly kind: K;
  /** Name in JSON and in messages to people. */
  readonly json?: string;
}

export interface Message<F extends Fields = Fields> {
  readonly name: string;
  readonly fields: F;
  readonly defaults: Readonly<Record<string, unknown>>;
}
type Fields = Readonly<Record<string, Field>>;

/** An attribute: its key, and where its value is, as JSON. */
export interface Attribute extends Piece {
  readonly key: AttributeKey;
  readonly in: JsonBytes;
}

/** What a field of a kind is read as. Texts, ids and values are pieces of JSON. */
type ValueOf<K extends Kind, S> = K extends 'text' | 'id'
  ? Piece
  : K extends 'uint32' | 'fixed32' | Names
    ? number
    : K extends 'time'
      ? Instant
      : K extends 'value'
        ? Piece | undefined
        : K extends 'attributes'
          ? readonly Attribute[]
          : K extends { readonly one: Message<infer F> }
            ? Decoded<F, S> | undefined
            : K extends { readonly many: Message<infer F> }
              ? readonly Decoded<F, S>[]
              : readonly S[];

/** A message that has been read; `S` is the place of a message that is read later. */
export type Decoded<F extends Fields, S = unknown> = { readonly [N in keyof F]: ValueOf<F[N]['kind'], S> };

/** Reads messages from a body of one format; texts are written to the `JsonBytes` it was made with. */
export interface OtlpReader<S> {
  /** The place of the request itself. */
  readonly root: S;
  /** Names of the members of the request, known or not; empty if the format has no names. */
  readonly members: readonly string[];
  /** @throws DamagedError, MisshapenError */
  read<F extends Fields>(message: Message<F>, at: S): Decoded<F, S>;
}

export interface ValueLimits {
  /** Longest string; a longer one is replaced by a note that it was too long. */
  readonly maxValueBytes: number;
  /** Most levels of nesting; deeper values are null. */
  readonly maxDepth: number;
}

/** A message holds something it must not hold; the rest of the body can still be read. The text says where and what it is. */
export class MisshapenError extends Error {
  override readonly name = 'MisshapenError';
}

/** The bytes are not of the format, so nothing after them can be trusted. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

/** The fields of a message before anything is read. All objects of one message have the same shape, which V8 reads faster. */
export const unset = ({ defaults }: Message): Record<string, unknown> => ({ ...defaults });

function defaultOf(kind: Kind): unknown {
  switch (kind) {
    case 'text':
    case 'id':
      return noText;
    case 'uint32':
    case 'fixed32':
      return 0;
    case 'time':
      return noInstant;
    case 'value':
      return undefined;
    case 'attributes':
    case 'each':
      return none;
    default:
      return 'names' in kind ? 0 : 'many' in kind ? none : undefined;
  }
}

/** A text that was not sent. */
export const noText: Piece = { start: 0, end: 0 };

/** The empty list of all fields that were not sent. It is shared: a reader makes a new list for the first element. */
export const none: readonly unknown[] = [];

const message = <const F extends Fields>(name: string, fields: F): Message<F> => ({
  name,
  fields,
  defaults: Object.fromEntries(Object.entries(fields).map(([field, { kind }]) => [field, defaultOf(kind)])),
});

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

/** The three levels above the records: their fields are the same in every signal, their names differ. */
export const envelopes = {
  traces: envelopeOf('ExportTraceServiceRequest', ['ResourceSpans', 'ScopeSpans', 'spans']),
  logs: envelopeOf('ExportLogsServiceRequest', ['ResourceLogs', 'ScopeLogs', 'logRecords']),
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

export type ResourcePart = Decoded<(typeof envelopes.traces.resource)['fields']>;
export type ScopePart = Decoded<(typeof envelopes.traces.scope)['fields']>;

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

export type SpanPart = Decoded<(typeof Span)['fields']>;
export type LogRecordPart = Decoded<(typeof LogRecord)['fields']>;

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
