import { formatRfc3339 } from '@millrace/timestamps';
import { customAttributes } from '@millrace/metadata/datasets/custom-attributes';
import {
  compareInstants,
  type Instant,
  instantOf,
  isSent,
  nanosecondsOf,
  writeDuration,
  writeNanoseconds,
  writeRfc3339,
} from './instant.js';
import type { JsonBytes, Piece } from '../bytes/json-bytes.js';
import { withoutRepeats, longestOf, writeObject } from './json-text.js';
import { type Attribute, noText } from './message-schema.js';
import {
  type LogRecordPart,
  type ResourcePart,
  type ScopePart,
  spanKinds,
  type SpanPart,
  statusCodes,
} from './messages.js';
import { MalformedMessageError } from './reader.js';

/** The latest `_time`, which has 64 bits with a sign. */
const latest = 2n ** 63n - 1n;
const latestInstant = instantOf(latest);
/**
 * From this time on, a number is unambiguously nanoseconds. Smaller ones could be microseconds, so
 * earlier times are written as text.
 */
const surelyNanoseconds: Instant = { seconds: 1e8, nanoseconds: 0 };

/** Maximum lengths of the parts of an event that are stored as a single value each. */
export interface RecordLimits {
  /** Bytes of a list. */
  readonly maxListBytes: number;
  /**
   * Bytes of the attributes of no known convention together; unlimited where each is a field of its
   * own.
   */
  readonly maxCustomBytes: number;
}

/** Length of an empty string. */
const emptyLength = '""'.length;

/** Property names of events and of the objects within them. */
const members = {
  traceId: member('trace_id'),
  spanId: member('span_id'),
  parentSpanId: member('parent_span_id'),
  traceState: member('trace_state'),
  name: member('name'),
  duration: member('duration'),
  statusMessage: member('status.message'),
  events: member('events'),
  links: member('links'),
  attributes: member('attributes'),
  custom: member(customAttributes),
  timestamp: member('timestamp'),
  observedTime: member('observed_time'),
  severityNumber: member('severity_number'),
  severityText: member('severity_text'),
  body: member('body'),
  eventName: member('event_name'),
  flags: member('flags'),
  droppedAttributes: member('dropped_attributes_count'),
  droppedEvents: member('dropped_events_count'),
  droppedLinks: member('dropped_links_count'),
  resourceSchema: member('resource.schema_url'),
  resourceDropped: member('resource.dropped_attributes_count'),
  scopeSchema: member('scope.schema_url'),
  scopeName: member('scope.name'),
  scopeVersion: member('scope.version'),
  scopeDropped: member('scope.dropped_attributes_count'),
} as const;

function member(name: string): Buffer {
  return Buffer.from(`,"${name}":`);
}

const eventStart = Buffer.from('{"_time":');
const spanEventName = Buffer.from('{"name":');
const linkTraceId = Buffer.from('{"trace_id":');
const error = { true: Buffer.from(',"error":true'), false: Buffer.from(',"error":false') };
const kinds = spanKinds.names.map((name) => Buffer.from(`,"kind":"${name}"`));
// In capitals, unlike kinds, because Axiom's clients query them so, as in `['status.code'] ==
// "ERROR"`.
const codes = statusCodes.names.map((name) => Buffer.from(`,"status.code":"${name.toUpperCase()}"`));

/**
 * Writes spans, log records, and their resources and scopes as properties of an event. The time
 * comes first; every other property starts with a comma.
 */
export class RecordWriter {
  readonly #out: JsonBytes;
  readonly #pieces: JsonBytes;
  readonly #limits: RecordLimits;

  /** @param pieces contains the strings of the messages */
  constructor(out: JsonBytes, pieces: JsonBytes, limits: RecordLimits) {
    this.#out = out;
    this.#pieces = pieces;
    this.#limits = limits;
  }

  /**
   * Writes a span. Without a start, its time is that of arrival.
   * @throws MalformedMessageError before anything is written
   */
  span(span: SpanPart, arrival: Instant): void {
    const { startTimeUnixNano: start, endTimeUnixNano: end, status, events, links } = span;
    this.#time(isSent(start) ? start : arrival, 'startTimeUnixNano');
    this.#id(members.traceId, span.traceId);
    this.#id(members.spanId, span.spanId);
    this.#id(members.parentSpanId, span.parentSpanId);
    this.#text(members.traceState, span.traceState);
    this.#string(members.name, span.name);
    this.#nameMember(kinds, 'kind', span.kind);
    // Without a start or an end there is no duration.
    if (isSent(start) && isSent(end)) {
      this.#out.bytes(members.duration);
      writeDuration(this.#out, start, end);
    }
    const code = status?.code ?? 0;
    this.#nameMember(codes, 'status.code', code);
    if (status !== undefined) this.#text(members.statusMessage, status.message);
    this.#out.bytes(code === 2 ? error.true : error.false);
    this.#list(members.events, events, (event, replaced) => this.#event(event, replaced));
    this.#list(members.links, links, (link, replaced) => this.#link(link, replaced));
    this.#count(members.flags, span.flags);
    this.#count(members.droppedAttributes, span.droppedAttributesCount);
    this.#count(members.droppedEvents, span.droppedEventsCount);
    this.#count(members.droppedLinks, span.droppedLinksCount);
    this.#ofRecord(span.attributes);
  }

  /**
   * Writes a log record. Its time is when it happened, else when it was observed, else when it
   * arrived.
   * @throws MalformedMessageError before anything is written
   */
  logRecord(record: LogRecordPart, arrival: Instant): void {
    const { timeUnixNano: time, observedTimeUnixNano: observed, body } = record;
    if (isSent(time)) this.#time(time, 'timeUnixNano');
    else if (isSent(observed)) this.#time(observed, 'observedTimeUnixNano');
    else this.#time(arrival, 'the time of arrival');
    if (isSent(time) && isSent(observed) && compareInstants(time, observed) !== 0) {
      this.#out.bytes(members.observedTime);
      writeRfc3339(this.#out, observed);
    }
    this.#count(members.severityNumber, record.severityNumber);
    this.#text(members.severityText, record.severityText);
    if (body !== undefined) {
      this.#out.bytes(members.body);
      this.#out.piece(this.#pieces, body);
    }
    this.#text(members.eventName, record.eventName);
    this.#id(members.traceId, record.traceId);
    this.#id(members.spanId, record.spanId);
    this.#count(members.flags, record.flags);
    this.#count(members.droppedAttributes, record.droppedAttributesCount);
    this.#ofRecord(record.attributes);
  }

  /** Writes the properties that all records of a resource share. */
  resource({ resource, schemaUrl }: ResourcePart): void {
    this.#text(members.resourceSchema, schemaUrl);
    if (resource === undefined) return;
    this.#count(members.resourceDropped, resource.droppedAttributesCount);
    for (const attribute of resource.attributes) this.#attribute(attribute.key.ofResource, attribute);
  }

  /** Writes the properties that all records of a scope share. */
  scope({ scope, schemaUrl }: ScopePart): void {
    this.#text(members.scopeSchema, schemaUrl);
    if (scope === undefined) return;
    this.#text(members.scopeName, scope.name);
    this.#text(members.scopeVersion, scope.version);
    this.#count(members.scopeDropped, scope.droppedAttributesCount);
    for (const attribute of scope.attributes) this.#attribute(attribute.key.ofScope, attribute);
  }

  /**
   * Writes the attributes of a span or log record: those of known conventions as fields, the rest
   * as entries of one map.
   */
  #ofRecord(attributes: readonly Attribute[]): void {
    const custom: Attribute[] = [];
    for (const attribute of attributes) {
      const name = attribute.key.ofRecord;
      if (name === null) custom.push(attribute);
      else this.#attribute(name, attribute);
    }
    if (custom.length === 0) return;
    const start = this.#out.length;
    this.#object(members.custom, custom);
    const excess = this.#takeBack(start, members.custom.length + this.#limits.maxCustomBytes);
    if (excess > 0) this.#object(members.custom, custom, longestOf([...withoutRepeats(custom)], excess));
  }

  /** @param field named in the error if the time cannot be stored */
  #time(at: Instant, field: string): void {
    if (compareInstants(at, latestInstant) > 0) {
      const nanoseconds = nanosecondsOf(at);
      throw new MalformedMessageError(
        `${field}: ${nanoseconds} ns is after what can be stored (${formatRfc3339(latest)})`,
      );
    }
    this.#out.bytes(eventStart);
    if (compareInstants(at, surelyNanoseconds) < 0) writeRfc3339(this.#out, at);
    else writeNanoseconds(this.#out, at);
  }

  #event(event: SpanPart['events'][number], replaced?: ReadonlySet<Attribute>): void {
    const { name, timeUnixNano, attributes, droppedAttributesCount } = event;
    this.#string(spanEventName, name);
    if (isSent(timeUnixNano)) {
      this.#out.bytes(members.timestamp);
      writeRfc3339(this.#out, timeUnixNano);
    }
    if (attributes.length > 0) this.#object(members.attributes, attributes, replaced);
    this.#count(members.droppedAttributes, droppedAttributesCount);
    this.#out.ascii('}');
  }

  #link(link: SpanPart['links'][number], replaced?: ReadonlySet<Attribute>): void {
    this.#string(linkTraceId, link.traceId);
    this.#string(members.spanId, link.spanId);
    this.#text(members.traceState, link.traceState);
    if (link.attributes.length > 0) this.#object(members.attributes, link.attributes, replaced);
    this.#count(members.flags, link.flags);
    this.#count(members.droppedAttributes, link.droppedAttributesCount);
    this.#out.ascii('}');
  }

  #list<T extends { readonly attributes: readonly Attribute[] }>(
    name: Buffer,
    elements: readonly T[],
    write: (element: T, replaced?: ReadonlySet<Attribute>) => void,
  ): void {
    if (elements.length === 0) return;
    const start = this.#out.length;
    this.#elements(name, elements, write);
    const excess = this.#takeBack(start, name.length + this.#limits.maxListBytes);
    if (excess <= 0) return;
    const attributes = elements.flatMap((element) => [...withoutRepeats(element.attributes)]);
    const replaced = longestOf(attributes, excess);
    this.#elements(name, elements, (element) => write(element, replaced));
  }

  #elements<T>(name: Buffer, elements: readonly T[], write: (element: T) => void): void {
    this.#out.bytes(name);
    let before = '[';
    for (const element of elements) {
      this.#out.ascii(before);
      write(element);
      before = ',';
    }
    this.#out.ascii(']');
  }

  /**
   * Removes a property that is stored as a single value and is too long, so that it can be written
   * again with less content. Otherwise the whole value would be replaced.
   * @returns by how many bytes the text written from `start` on is too long; it is unchanged if
   * that is 0 or less
   */
  #takeBack(start: number, max: number): number {
    const excess = this.#out.length - start - max;
    if (excess > 0) this.#out.cutTo(start);
    return excess;
  }

  #member(name: Buffer, value: Piece): void {
    this.#out.bytes(name);
    this.#out.piece(this.#pieces, value);
  }

  #attribute(name: Buffer, attribute: Attribute): void {
    this.#out.bytes(name);
    this.#out.piece(attribute.in, attribute);
  }

  #object(name: Buffer, attributes: readonly Attribute[], replaced?: ReadonlySet<Attribute>): void {
    this.#out.bytes(name);
    writeObject(this.#out, attributes, replaced);
  }

  /** Writes a string, unless it is missing or empty. */
  #text(name: Buffer, text: Piece): void {
    if (text.end - text.start > emptyLength) this.#member(name, text);
  }

  /** Writes a string, even an empty one. */
  #string(name: Buffer, text: Piece): void {
    this.#out.bytes(name);
    if (text === noText) this.#out.ascii('""');
    else this.#out.piece(this.#pieces, text);
  }

  /** Writes an ID, unless all its digits are zeros, which some senders use for a missing ID. */
  #id(name: Buffer, id: Piece): void {
    if (!this.#pieces.isZeros(id)) this.#member(name, id);
  }

  #count(name: Buffer, value: number): void {
    if (value === 0) return;
    this.#out.bytes(name);
    if (value < 0) this.#out.ascii(String(value));
    else this.#out.digits(value);
  }

  /** Writes the name for a number of an enumeration, or the number itself if it has no name yet. */
  #nameMember(known: readonly Buffer[], name: string, number: number): void {
    const member = known[number];
    if (member === undefined) this.#out.ascii(`,"${name}":"${number}"`);
    else this.#out.bytes(member);
  }
}
