import type { ObjectFormat, SourcePropertiesOf } from '@millrace/api/schemas/source';
import { decompress } from '../files/decompress.js';
import { listIn } from '../files/expand.js';
import { beginningOf, encodingOf, type Format } from '../files/format.js';
import { type OutgoingRequest, outgoingEvents, type SourceOptions } from '../files/outgoing-events.js';
import { lineEvents } from './line-events.js';
import { lineFormats, type LineFormatName } from './line-formats.js';
import { parquetEvents } from './parquet-events.js';
import type { BucketObject } from './parse-listing.js';
import type { S3Client } from './s3-client.js';

/** The content of an object as bodies. The same object gives the same bodies. */
export async function* objectRequests(
  object: BucketObject,
  client: S3Client,
  { properties, maxBytes }: { readonly properties: SourcePropertiesOf<'bucket'>; readonly maxBytes: number },
): AsyncGenerator<OutgoingRequest> {
  const { format = 'auto', timestampField } = properties;
  const { key, etag } = object;
  const options = (name: Format | undefined, expand?: string): SourceOptions => ({
    format: name,
    delimiter: undefined,
    encoding: 'none',
    names: 'header',
    expand,
    findsTime: timestampField === undefined,
    guessing: () => undefined,
    maxBytes,
  });
  if (format === 'parquet' || (format === 'auto' && /\.parquet$/i.test(key)))
    return yield* outgoingEvents({ name: key, bytes: parquetEvents(object, client) }, options('ndjson'));
  const { head, bytes } = await peek(plain(await client.read(key, etag), key));
  if (head.byteLength === 0) return;
  const found = format === 'auto' ? detectFormat(head) : format;
  if (isLineFormat(found))
    return yield* outgoingEvents({ name: key, bytes: lineEvents(bytes, lineFormats[found]) }, options('ndjson'));
  const list = found === 'cloudtrail' ? 'Records' : found === 'auto' ? listIn(beginningOf(head)) : undefined;
  const named = found === 'json' || found === 'ndjson' || found === 'csv' ? found : undefined;
  yield* outgoingEvents({ name: key, bytes }, options(named, list));
}

const isLineFormat = (name: string): name is LineFormatName => Object.hasOwn(lineFormats, name);

/** The format of lines that an object begins with; `auto` leaves JSON and CSV to the readers. */
function detectFormat(head: Uint8Array): ObjectFormat {
  const [line = ''] = beginningOf(head).split(/\r?\n/, 1);
  const names = Object.keys(lineFormats) as readonly LineFormatName[];
  return names.find((name) => lineFormats[name].detects(line)) ?? 'auto';
}

/** Decompresses by the first bytes, which are more reliable than the name. */
async function* plain(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const sent = await peek(bytes);
  const encoding = encodingOf(sent.head);
  yield* encoding === undefined ? sent.bytes : decompress(sent.bytes, encoding, name);
}

/** Bytes that show the format. */
const headBytes = 4096;

/** The beginning of some bytes, and all of them. */
async function peek(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ readonly head: Uint8Array; readonly bytes: AsyncIterable<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.byteLength < headBytes) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, bytes: withHead(head, iterator) };
}

async function* withHead(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
