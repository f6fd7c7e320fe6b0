import { originOf } from './message-values.js';
import type { Message } from './group-member.js';

/**
 * Adds the origin of a message to the resources of its OTLP request, as the attribute `kafka`. The
 * rest of the request keeps its bytes, so numbers keep their digits.
 */

type Value =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly kvlistValue: { readonly values: readonly Attribute[] } };

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

type Origin = string | number | { readonly [name: string]: Origin };

const attributeOf = (key: string, origin: Origin): Attribute => ({ key, value: valueOf(origin) });

function valueOf(origin: Origin): Value {
  if (typeof origin === 'string') return { stringValue: origin };
  if (typeof origin === 'number') return { intValue: String(origin) };
  return { kvlistValue: { values: Object.entries(origin).map(([key, value]) => attributeOf(key, value)) } };
}

const originAttribute = (message: Message): Attribute => attributeOf('kafka', originOf(message));

/** Numbers of fields in OTLP's protobuf. */
const fields = { resources: 1, resource: 1, attributes: 1, key: 1, value: 2, string: 1, int: 3, list: 6, values: 1 };
const lengthPrefixed = 2;

/**
 * A request in protobuf with the origin. A second `resource` is merged with the first one.
 * Unchanged if it is damaged.
 */
export function addOriginToProtobuf(request: Buffer, message: Message): Buffer {
  const resource = lengthField(fields.attributes, encodeAttribute(originAttribute(message)));
  const added = lengthField(fields.resource, resource);
  const parts: Buffer[] = [];
  for (let at = 0; at < request.length;) {
    const length = request[at] === tagOf(fields.resources, lengthPrefixed) ? readVarint(request, at + 1) : undefined;
    if (length === undefined || length.end + length.value > request.length) return request;
    const end = length.end + length.value;
    parts.push(lengthField(fields.resources, request.subarray(length.end, end), added));
    at = end;
  }
  return Buffer.concat(parts);
}

function encodeAttribute({ key, value }: Attribute): Buffer {
  const name = lengthField(fields.key, Buffer.from(key));
  return Buffer.concat([name, lengthField(fields.value, encodeValue(value))]);
}

function encodeValue(value: Value): Buffer {
  if ('stringValue' in value) return lengthField(fields.string, Buffer.from(value.stringValue));
  if ('intValue' in value) return Buffer.from([tagOf(fields.int, 0), ...varint(BigInt(value.intValue))]);
  const values = value.kvlistValue.values.map((item) => lengthField(fields.values, encodeAttribute(item)));
  return lengthField(fields.list, ...values);
}

const tagOf = (number: number, wire: number): number => (number << 3) | wire;

function lengthField(number: number, ...content: readonly Buffer[]): Buffer {
  const length = content.reduce((sum, { length: bytes }) => sum + bytes, 0);
  return Buffer.concat([Buffer.from([tagOf(number, lengthPrefixed), ...varint(BigInt(length))]), ...content]);
}

function varint(value: bigint): readonly number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}

/** A length; undefined if it is damaged. */
function readVarint(bytes: Buffer, from: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = from, factor = 1; at < from + 5 && at < bytes.length; at++, factor *= 128) {
    value += (bytes[at]! & 0x7f) * factor;
    if (bytes[at]! < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}

/** An element of `resourceLogs` or `resourceSpans` with the origin. @param text bytes as Latin-1 */
export function addOriginToJson(text: string, message: Message): string {
  const added = Buffer.from(JSON.stringify(originAttribute(message))).toString('latin1');
  return changeMember(text, 'resource', (resource = '{}') =>
    changeMember(resource, 'attributes', (list = '[]') => insertLast(list, added)),
  );
}

/** Replaces the list or object of a member, or adds one. */
function changeMember(text: string, name: string, change: (value: string | undefined) => string): string {
  if (!text.startsWith('{')) return text;
  const found = valueSpan(text, name);
  if (found === undefined) return insertLast(text, `${JSON.stringify(name)}:${change(undefined)}`);
  return `${text.slice(0, found.start)}${change(text.slice(found.start, found.end))}${text.slice(found.end)}`;
}

/** Inserts text before the last bracket. Text without one is unchanged. */
function insertLast(text: string, added: string): string {
  if (!/^[{[]/.test(text)) return text;
  const content = text.slice(0, -1);
  return `${content}${content.slice(1).trim() === '' ? '' : ','}${added}${text.slice(-1)}`;
}

/** Where the list or object of a member is in the text of an object; undefined if it has none. */
function valueSpan(text: string, name: string): { readonly start: number; readonly end: number } | undefined {
  let depth = 0;
  let last = '';
  let member: unknown;
  let start = 0;
  let found: { start: number; end: number } | undefined;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]+|\\.)*"|[{}[\]:,]/gs)) {
    if (token === ':' && depth === 1) member = JSON.parse(last);
    else if (token === ',' && depth === 1) member = undefined;
    else if (/[{[]/.test(token[0]!)) {
      if (depth++ === 1) start = index;
    } else if (/[}\]]/.test(token[0]!) && --depth === 1 && member === name) found = { start, end: index + 1 };
    last = token;
  }
  return found;
}
