import { promisify } from 'node:util';
import { gunzip, inflateRaw } from 'node:zlib';

/**
 * Decompresses files of `externaldata` by their first bytes: gzip, and zip with one file in it.
 * Anything else is returned as it is.
 */

type UnpackResult = Uint8Array | { readonly kind: 'too-large' } | { readonly kind: 'damaged'; readonly reason: string };

const damagedFile: UnpackResult = { kind: 'damaged', reason: 'it cannot be decompressed' };

/** @param room the maximum size of the content; decompression stops there */
export async function unpackFile(file: Uint8Array, room: number): Promise<UnpackResult> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  try {
    if (startsWith(bytes, [0x1f, 0x8b])) return await promisify(gunzip)(bytes, { maxOutputLength: room });
    if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return await unzip(bytes, room);
    return file;
  } catch (error) {
    return (error as { readonly code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? { kind: 'too-large' } : damagedFile;
  }
}

const startsWith = (bytes: Buffer, start: readonly number[]): boolean => start.every((byte, i) => bytes[i] === byte);

const END = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
/** Sizes of the fixed parts of the records of a zip file. */
const LOCAL_HEADER = 30;
const DIRECTORY_ENTRY = 46;

/**
 * The only file of a zip file, found by the directory at its end: sizes before the content may be
 * missing. A read beyond the end throws.
 */
async function unzip(zip: Buffer, room: number): Promise<UnpackResult> {
  const end = zip.lastIndexOf(END);
  if (end < 0) return damagedFile;
  const files = entriesAt(zip, zip.readUInt32LE(end + 16), zip.readUInt16LE(end + 10)).filter(
    ({ name }) => !name.endsWith('/'),
  );
  const [only, ...others] = files;
  if (only === undefined || others.length > 0)
    return { kind: 'damaged', reason: `it has ${files.length} files; write the address of a zip with one` };
  const start = only.at + LOCAL_HEADER + zip.readUInt16LE(only.at + 26) + zip.readUInt16LE(only.at + 28);
  const content = zip.subarray(start, start + only.size);
  if (only.method === 8) return promisify(inflateRaw)(content, { maxOutputLength: room });
  if (only.method !== 0) return { kind: 'damaged', reason: 'its compression is not deflate' };
  return content.length > room ? { kind: 'too-large' } : content;
}

interface Entry {
  readonly name: string;
  /** 0 for stored, 8 for deflate. */
  readonly method: number;
  /** As stored. */
  readonly size: number;
  /** Where its own header begins. */
  readonly at: number;
}

function entriesAt(zip: Buffer, start: number, count: number): readonly Entry[] {
  const entries: Entry[] = [];
  for (let at = start; entries.length < count;) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    entries.push({
      name: zip.toString('utf8', at + DIRECTORY_ENTRY, at + DIRECTORY_ENTRY + name),
      method: zip.readUInt16LE(at + 10),
      size: zip.readUInt32LE(at + 20),
      at: zip.readUInt32LE(at + 42),
    });
    at += DIRECTORY_ENTRY + name + extra + comment;
  }
  return entries;
}
