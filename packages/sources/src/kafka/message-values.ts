import { isUtf8 } from 'node:buffer';
import type { MessageFormat } from '@millrace/api/schemas/source';
import { JsonScanner } from '../files/scanner.js';
import type { Message } from './group-member.js';

/** A message as lines of JSON, or why it cannot be read. */
type ReadMessage = { readonly lines: readonly string[] } | { readonly problem: string };

interface ReadOptions {
  readonly format: Extract<MessageFormat, 'json' | 'text'>;
  /** Whether the time of the message becomes the time of events that have none. */
  readonly addsTime: boolean;
}

/** Reads the value of a message. A message without a value deletes its key, and has no event. */
export function readMessage(message: Message, { format, addsTime }: ReadOptions): ReadMessage {
  const { value } = message;
  if (value === undefined) return { lines: [] };
  if (format === 'text') return { lines: [textEvent(message, value, addsTime)] };
  if (!isUtf8(value)) return { problem: 'the value is not UTF-8' };
  const text = value.toString('utf8').trim();
  const parsed = parsedJson(text);
  if (parsed === undefined) return { problem: 'the value is not JSON' };
  if (!Array.isArray(parsed))
    return isObject(parsed)
      ? { lines: [withOrigin(text, parsed, message, addsTime)] }
      : { problem: 'the value is not a JSON object' };
  if (!parsed.every(isObject)) return { problem: 'the value is a list of values that are not JSON objects' };
  return {
    lines: elementsOf(text).map((element, i) => withOrigin(element, parsed[i] as JsonObject, message, addsTime)),
  };
}

/** The event that keeps a message which cannot be read. */
export function rejectedEvent(message: Message, problem: string): string {
  const { value = Buffer.alloc(0) } = message;
  return JSON.stringify({
    _time: timeOf(message),
    error: problem,
    kafka: originOf(message),
    ...textOrBytes('message', value),
  });
}

type JsonObject = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Elements of a valid list as they are written, so that numbers keep their digits. */
function elementsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  return new JsonScanner().scan(bytes).map(({ start, end }) => bytes.toString('utf8', start, end));
}

/** Adds the origin to an object, without changing the rest of its text. */
function withOrigin(text: string, parsed: JsonObject, message: Message, addsTime: boolean): string {
  const name = Object.hasOwn(parsed, 'kafka') ? 'kafka_message' : 'kafka';
  const time = addsTime && !Object.hasOwn(parsed, '_time') ? { _time: timeOf(message) } : {};
  const added = JSON.stringify({ ...time, [name]: originOf(message) }).slice(0, -1);
  // Line breaks in valid JSON are between tokens.
  const rest = text.slice(1).replaceAll(/[\r\n]+/g, ' ');
  return Object.keys(parsed).length === 0 ? `${added}}` : `${added},${rest}`;
}

const textEvent = (message: Message, value: Buffer, addsTime: boolean): string =>
  JSON.stringify({
    ...(addsTime && { _time: timeOf(message) }),
    kafka: originOf(message),
    ...textOrBytes('message', value),
  });

const timeOf = ({ timestamp }: Message): string => {
  const milliseconds = Number(timestamp);
  // Producers may send any number.
  return Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString() : new Date(0).toISOString();
};

/** Where a message is from, as the value of the field `kafka`. */
export const originOf = ({ topic, partition, offset, key, headers }: Message) => ({
  topic,
  partition,
  offset: Number(offset),
  ...(key !== undefined && textOrBytes('key', key)),
  ...(headers.length > 0 && {
    headers: Object.fromEntries(
      headers.map(([name, value]) => [
        name.toString('utf8'),
        isUtf8(value) ? value.toString('utf8') : value.toString('base64'),
      ]),
    ),
  }),
});

const textOrBytes = (name: string, bytes: Buffer) =>
  isUtf8(bytes) ? { [name]: bytes.toString('utf8') } : { [`${name}_base64`]: bytes.toString('base64') };
