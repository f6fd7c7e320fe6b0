import { buffer } from 'node:stream/consumers';
import type { AsyncBuffer } from 'hyparquet';
import { InputError } from '../files/input-error.js';
import type { BucketObject } from './parse-listing.js';
import type { S3Client } from './s3-client.js';

/** Rows that are converted at a time. */
const rowsAtOnce = 5000;

/**
 * Converts the rows of a Parquet object to JSON, a line each. Reads only the parts it needs.
 * @throws InputError when it is damaged
 */
export async function* parquetEvents(object: BucketObject, client: Pick<S3Client, 'read'>): AsyncGenerator<Uint8Array> {
  // A connection that breaks off says nothing about the data.
  let broken: { readonly error: unknown } | undefined;
  const read: Read = async (first, last) => {
    try {
      return await buffer(await client.read(object.key, object.etag, [first, last]));
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  try {
    yield* rowsOf(object.size, read);
  } catch (error) {
    if (broken !== undefined) throw broken.error;
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError('failed', `damaged Parquet data: ${why}`, { cause: error });
  }
}

type Read = (first: number, last: number) => Promise<Buffer>;

async function* rowsOf(size: number, read: Read): AsyncGenerator<Uint8Array> {
  const [{ parquetMetadataAsync, parquetReadObjects }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ]);
  const file: AsyncBuffer = {
    byteLength: size,
    async slice(start, end = size) {
      return new Uint8Array(await read(start, end - 1)).buffer;
    },
  };
  const metadata = await parquetMetadataAsync(file);
  // Within a row group, because reading across groups holds both.
  let first = 0;
  for (const { num_rows: count } of metadata.row_groups) {
    const end = first + Number(count);
    for (let rowStart = first; rowStart < end; rowStart += rowsAtOnce) {
      const rowEnd = Math.min(end, rowStart + rowsAtOnce);
      const rows = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd });
      yield Buffer.from(rows.map((row) => `${jsonOf(row)}\n`).join(''));
    }
    first = end;
  }
}

/** Integers of 64 bits keep their digits; bytes become base64. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'null' : JSON.stringify(value);
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join(',')}}`;
}
