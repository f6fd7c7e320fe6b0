import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect, it, test } from 'vitest';
import { unpackFile } from './unpack-file.js';

/** A zip file as `zip` writes it to a pipe: no sizes before the contents. */
function zipOf(files: Readonly<Record<string, string>>, method: 0 | 8 = 8): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, text] of Object.entries(files)) {
    const content = method === 8 ? deflateRawSync(text) : Buffer.from(text);
    const at = parts.reduce((sum, part) => sum + part.length, 0);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(name.length, 26);
    parts.push(local, Buffer.from(name), content);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    directory.push(entry, Buffer.from(name));
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(Buffer.concat(parts).length, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const unpackText = async (file: Uint8Array, room = 1000): Promise<unknown> => {
  const found = await unpackFile(file, room);
  return found instanceof Uint8Array ? Buffer.from(found).toString() : found;
};

it.each([
  ['a plain file', Buffer.from('a,b')],
  ['gzip', gzipSync('a,b')],
  ['zip', zipOf({ 'folder/': '', 'folder/a.csv': 'a,b' })],
  ['zip without compression', zipOf({ 'a.csv': 'a,b' }, 0)],
])('reads %s', async (_, file) => expect(await unpackText(file)).toBe('a,b'));

test('what unpacks to more than fits is not unpacked', async () => {
  const large = 'x'.repeat(2000);
  for (const file of [gzipSync(large), zipOf({ a: large }), zipOf({ a: large }, 0)])
    expect(await unpackText(file)).toEqual({ kind: 'too-large' });
});

test('damaged files', async () => {
  const damaged = { kind: 'damaged', reason: 'it cannot be decompressed' };
  const zip = zipOf({ a: 'text' });
  expect(await unpackText(gzipSync('text').subarray(0, 15))).toEqual(damaged);
  for (let length = 4; length < zip.length - 4; length++)
    expect(await unpackText(zip.subarray(0, length))).toEqual(damaged);
  expect(await unpackText(zipOf({ a: 'x', b: 'y' }))).toMatchObject({ reason: expect.stringContaining('2 files') });
});
