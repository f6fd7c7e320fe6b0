import { formatRfc3339 } from '@millrace/events';
import type { AttributeMembers } from './attributes.js';
import { arrayText, objectText } from './json-text.js';
import {
  type Attribute,
  type LogRecordPart,
  MisshapenError,
  type Names,
  type ResourcePart,
  type ScopePart,
  spanKinds,
  type SpanPart,
  statusCodes,
} from './messages.js';

/** Spans, log records and what is around them as members of the object that becomes an event. Each begins with a comma but the time. */

/** `_time` ends where 64 bits with a sign do. */
const latest = 2n ** 63n - 1n;
/** Numbers from here on are read as nanoseconds by everybody; smaller ones would be taken for microseconds. */
const surelyNanoseconds = 10n ** 17n;

/**
 * @param field of the message, for what is told of a time that cannot be stored
 * @throws MisshapenError
 */
function timeText(time: bigint, field: string): string {
  if (time > latest)
    throw new MisshapenError(`${field}: ${time} ns is after what can be stored (${formatRfc3339(latest)})`);
  return time >= surelyNanoseconds ? String(time) : rfc3339(time);
}

const rfc3339 = (time: bigint): string => JSON.stringify(formatRfc3339(time));

const textMember = (name: string, value: string): string => (value === '' ? '' : `,"${name}":${JSON.stringify(value)}`);
const countMember = (name: string, value: number): string => (value === 0 ? '' : `,"${name}":${value}`);

/** An id is digits; one that is all zeros is how some senders spell none. */
const idMember = (name: string, id: string): string => (/^0*$/.test(id) ? '' : `,"${name}":"${id}"`);

/** The name of an enumeration's number; one that has none yet is the number. */
const nameOf = ({ names }: Names, number: number): string => names[number] ?? String(number);

/** A span. One without a start has the time of arrival. */
export function spanText(span: SpanPart, arrival: bigint, attributes: AttributeMembers): string {
  const { startTimeUnixNano: start, endTimeUnixNano: end, status } = span;
  const code = status?.code ?? 0;
  return (
    `"_time":${timeText(start === 0n ? arrival : start, 'startTimeUnixNano')}` +
    idMember('trace_id', span.traceId) +
    idMember('span_id', span.spanId) +
    idMember('parent_span_id', span.parentSpanId) +
    textMember('trace_state', span.traceState) +
    `,"name":${JSON.stringify(span.name)},"kind":"${nameOf(spanKinds, span.kind)}"` +
    // One that has no end, or no beginning, has no length either.
    (start === 0n || end === 0n ? '' : `,"duration":${end - start}`) +
    `,"status.code":"${nameOf(statusCodes, code)}"` +
    textMember('status.message', status?.message ?? '') +
    `,"error":${code === 2}` +
    listMember('events', span.events.map(eventText)) +
    listMember('links', span.links.map(linkText)) +
    countMember('flags', span.flags) +
    countMember('dropped_attributes_count', span.droppedAttributesCount) +
    countMember('dropped_events_count', span.droppedEventsCount) +
    countMember('dropped_links_count', span.droppedLinksCount) +
    attributes.ofRecord(span.attributes)
  );
}

type EventPart = SpanPart['events'][number];
type LinkPart = SpanPart['links'][number];

const listMember = (name: string, elements: readonly string[]): string =>
  elements.length === 0 ? '' : `,"${name}":${arrayText(elements)}`;

const eventText = ({ name, timeUnixNano, attributes, droppedAttributesCount }: EventPart): string =>
  `{"name":${JSON.stringify(name)}${timeUnixNano === 0n ? '' : `,"timestamp":${rfc3339(timeUnixNano)}`}` +
  `${attributesMember(attributes)}${countMember('dropped_attributes_count', droppedAttributesCount)}}`;

const linkText = (link: LinkPart): string =>
  `{"trace_id":"${link.traceId}","span_id":"${link.spanId}"${textMember('trace_state', link.traceState)}` +
  `${attributesMember(link.attributes)}${countMember('flags', link.flags)}` +
  `${countMember('dropped_attributes_count', link.droppedAttributesCount)}}`;

const attributesMember = (attributes: readonly Attribute[]): string =>
  attributes.length === 0 ? '' : `,"attributes":${objectText(attributes)}`;

/** A log record. Its time is when it happened, else when it was observed, else when it arrived. */
export function logRecordText(record: LogRecordPart, arrival: bigint, attributes: AttributeMembers): string {
  const { timeUnixNano: time, observedTimeUnixNano: observed, body } = record;
  const when =
    time !== 0n
      ? timeText(time, 'timeUnixNano')
      : observed !== 0n
        ? timeText(observed, 'observedTimeUnixNano')
        : timeText(arrival, 'the time of arrival');
  return (
    `"_time":${when}` +
    (time === 0n || observed === 0n || time === observed ? '' : `,"observed_time":${rfc3339(observed)}`) +
    countMember('severity_number', record.severityNumber) +
    textMember('severity_text', record.severityText) +
    (body === undefined ? '' : `,"body":${body}`) +
    textMember('event_name', record.eventName) +
    idMember('trace_id', record.traceId) +
    idMember('span_id', record.spanId) +
    countMember('flags', record.flags) +
    countMember('dropped_attributes_count', record.droppedAttributesCount) +
    attributes.ofRecord(record.attributes)
  );
}

/** What all records of a resource have. */
export const resourceText = ({ resource, schemaUrl }: ResourcePart, attributes: AttributeMembers): string =>
  textMember('resource.schema_url', schemaUrl) +
  (resource === undefined
    ? ''
    : countMember('resource.dropped_attributes_count', resource.droppedAttributesCount) +
      attributes.ofResource(resource.attributes));

/** What all records of a scope have. */
export const scopeText = ({ scope, schemaUrl }: ScopePart, attributes: AttributeMembers): string =>
  textMember('scope.schema_url', schemaUrl) + (scope === undefined ? '' : scopeMembers(scope, attributes));

const scopeMembers = (scope: NonNullable<ScopePart['scope']>, attributes: AttributeMembers): string =>
  textMember('scope.name', scope.name) +
  textMember('scope.version', scope.version) +
  countMember('scope.dropped_attributes_count', scope.droppedAttributesCount) +
  attributes.ofScope(scope.attributes);
