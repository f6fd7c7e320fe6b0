import { snappy } from './snappy.js';

/** Events as a push of Loki has them: in protobuf, packed with Snappy. */

/** Fields that are labels; the others are structured metadata of the line, which is the message. */
const labelNames = ['level', 'service', 'method'] as const;

const field = (number: number, ...content: readonly (Buffer | string)[]): Buffer => {
  const bytes = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes]);
};

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}

const number = (tag: number, value: number): Buffer => Buffer.concat([Buffer.from([tag << 3]), varint(value)]);

/** One body with these events, which are lines of JSON. */
export function lokiBody(lines: readonly string[]): Buffer {
  const streams = new Map<string, Buffer[]>();
  for (const line of lines) {
    const { _time, message, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const labels = labelNames.map((name) => `${name}="${String(fields[name])}"`).join(', ');
    const entries = streams.get(labels) ?? [];
    streams.set(labels, entries);
    const milliseconds = Date.parse(String(_time));
    const metadata = Object.entries(fields).filter(([name]) => !labelNames.some((label) => label === name));
    entries.push(
      field(
        2,
        field(1, number(1, Math.floor(milliseconds / 1000)), number(2, (milliseconds % 1000) * 1e6)),
        field(2, String(message)),
        ...metadata.map(([name, value]) => field(3, field(1, name), field(2, String(value)))),
      ),
    );
  }
  return snappy(Buffer.concat([...streams].map(([labels, entries]) => field(1, field(1, `{${labels}}`), ...entries))));
}
