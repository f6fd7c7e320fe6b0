import type { MessageFormat } from '@millrace/api/schemas/source';
import { ListScanner } from '../files/list-scanner.js';
import { type Batch, type BatchContent, jsonContent } from '../run/batch.js';
import type { Message } from './group-member.js';
import { addOriginToJson, addOriginToProtobuf } from './otlp-origin.js';
import { readMessage, rejectedEvent } from './message-values.js';

/** Messages that cannot be read, each with the reason. */
export interface RejectedMessage {
  readonly message: Message;
  readonly problem: string;
}

export interface MessageOptions {
  readonly format: MessageFormat;
  readonly timestampField: string | undefined;
}

/** Bodies of a range, at most one of each content, and the messages that have none. */
interface Bodies {
  readonly bodies: readonly { readonly content: BatchContent; readonly body: Uint8Array }[];
  readonly rejected: readonly RejectedMessage[];
}

export function bodiesOf(messages: readonly Message[], { format, timestampField }: MessageOptions): Bodies {
  if (format !== 'json' && format !== 'text') return otlpBodies(messages, format);
  const rejected: RejectedMessage[] = [];
  const lines: string[] = [];
  const options = { format, addsTime: timestampField === undefined };
  for (const message of messages) {
    const read = readMessage(message, options);
    if ('problem' in read) rejected.push({ message, problem: read.problem });
    else lines.push(...read.lines);
  }
  const content = { ...jsonContent, ...(timestampField !== undefined && { timestampField }) };
  return { bodies: lines.length === 0 ? [] : [{ content, body: linesOf(lines) }], rejected };
}

/** The batch that keeps messages which cannot be read. */
export const rejectedBatch = (key: string, position: string, rejected: readonly RejectedMessage[]): Batch => ({
  key: `${key}/rejected`,
  position,
  body: linesOf(rejected.map(({ message, problem }) => rejectedEvent(message, problem))),
  content: jsonContent,
  isRejected: true,
});

const linesOf = (lines: readonly string[]): Uint8Array => Buffer.from(lines.map((line) => `${line}\n`).join(''));

type OtlpFormat = Exclude<MessageFormat, 'json' | 'text'>;

const listOf = {
  'otlp-logs': 'resourceLogs',
  'otlp-traces': 'resourceSpans',
  'otlp-metrics': 'resourceMetrics',
} as const satisfies Record<OtlpFormat, string>;

const brace = 0x7b;

/**
 * Requests in protobuf are joined by concatenation, which is the concatenation of their lists.
 * Those in JSON are joined as text. Logs and traces get the origin of their message; as tags of
 * metrics, offsets would make each message a series of its own.
 */
function otlpBodies(messages: readonly Message[], format: OtlpFormat): Bodies {
  const protobuf: Uint8Array[] = [];
  const elements: string[] = [];
  const rejected: RejectedMessage[] = [];
  const hasOrigin = format !== 'otlp-metrics';
  for (const message of messages) {
    const { value } = message;
    if (value === undefined || value.length === 0) continue;
    // A request in protobuf begins with the tag of its first list.
    if (value[0] !== brace) protobuf.push(hasOrigin ? addOriginToProtobuf(value, message) : value);
    else {
      const found = isJson(value) ? elementsOf(value, listOf[format]) : undefined;
      if (found === undefined)
        rejected.push({ message, problem: `the value is no OTLP request: it has no list '${listOf[format]}'` });
      else elements.push(...(hasOrigin ? found.map((element) => addOriginToJson(element, message)) : found));
    }
  }
  const list = `{"${listOf[format]}":[${elements.join(',')}]}`;
  return {
    bodies: [
      ...(protobuf.length === 0
        ? []
        : [{ content: { format, contentType: 'application/x-protobuf' }, body: Buffer.concat(protobuf) }]),
      ...(elements.length === 0
        ? []
        : [{ content: { format, contentType: 'application/json' }, body: Buffer.from(list, 'latin1') }]),
    ],
    rejected,
  };
}

function isJson(value: Buffer): boolean {
  try {
    JSON.parse(value.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Elements of a list of an object as they are written; bytes as Latin-1. Undefined without it. */
function elementsOf(value: Buffer, list: string): readonly string[] | undefined {
  const scanner = new ListScanner(list);
  const lines = [...scanner.scan(value), scanner.end()];
  return scanner.lists === 0 ? undefined : lines.map((line) => line.trim()).filter((line) => line !== '');
}
