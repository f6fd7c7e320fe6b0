import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { Random } from './random.js';
import type { Shape } from './shape.js';

/** Events as the bodies of requests, and as the file that the yardsticks load. */

export type Format = 'ndjson' | 'array' | 'csv';

/** Applies a content encoding to the bytes of a body. */
export type Encoder = (raw: Uint8Array) => Uint8Array | Promise<Uint8Array>;

export const gzip: Encoder = (raw) => gzipSync(raw, { level: 6 });

export interface Body {
  readonly bytes: Uint8Array;
  readonly events: number;
  /** Length before the encoding. */
  readonly rawBytes: number;
}

/**
 * Events of a shape, starting at number `from`. The random generator is seeded with `from`, so any
 * part of the sequence can be generated separately.
 */
export function* eventsOf({ event }: Shape, events: number, from = 0): Generator<string> {
  const random = new Random(1 + from);
  for (let i = from; i < from + events; i++) yield event(random, i);
}

/** Splits events into bodies of a given number of events. */
export async function bodiesOf(
  lines: readonly string[],
  perBody: number,
  format: Format = 'ndjson',
  encode: Encoder = (raw) => raw,
): Promise<readonly Body[]> {
  const bodies: Body[] = [];
  for (let at = 0; at < lines.length; at += perBody) {
    const part = lines.slice(at, at + perBody);
    const raw = Buffer.from(textOf(part, format));
    bodies.push({ bytes: await encode(raw), events: part.length, rawBytes: raw.length });
  }
  return bodies;
}

function textOf(lines: readonly string[], format: Format): string {
  switch (format) {
    case 'ndjson':
      return `${lines.join('\n')}\n`;
    case 'array':
      return `[${lines.join(',')}]`;
    case 'csv':
      return csvOf(lines);
  }
}

function csvOf(lines: readonly string[]): string {
  const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const names = Object.keys(rows[0] ?? {});
  const cell = (value: unknown): string => {
    const text = String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names.join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(',')), ''].join('\n');
}

/** Number of first events to compare, to detect a changed generator. */
const sampleSize = 200;

/**
 * Writes the events to an NDJSON file, once for all later runs, and returns its path. Deletes files
 * of a changed generator.
 */
export async function fileOf(directory: string, shape: Shape, events: number): Promise<string> {
  const sample = createHash('sha256').update([...eventsOf(shape, Math.min(events, sampleSize))].join('\n'));
  const start = `${shape.name}-${events}-`;
  const name = `${start}${sample.digest('hex').slice(0, 8)}.ndjson`;
  const path = join(directory, name);
  if (existsSync(path)) return path;
  mkdirSync(directory, { recursive: true });
  for (const other of readdirSync(directory)) if (other.startsWith(start)) rmSync(join(directory, other));
  const stream = createWriteStream(`${path}.new`);
  let part: string[] = [];
  for (const line of eventsOf(shape, events)) {
    part.push(line);
    if (part.length < 1000) continue;
    if (!stream.write(`${part.join('\n')}\n`)) await once(stream, 'drain');
    part = [];
  }
  stream.end(part.length === 0 ? '' : `${part.join('\n')}\n`);
  await once(stream, 'finish');
  renameSync(`${path}.new`, path);
  return path;
}

/** All events of a file. */
export async function linesOf(path: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) lines.push(line);
  return lines;
}
