import { expect, test } from 'vitest';
import { decompress } from './decompress.js';

/** An uncompressed zstd frame. */
function frame(text: string): Buffer {
  const content = Buffer.from(text);
  const block = (content.length << 3) | 1;
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, content.length, block & 0xff, block >> 8, 0]),
    content,
  ]);
}

async function* pieces(...bytes: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes;
}

async function textOf(input: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of decompress(input, 'zstd', 'x.zst')) parts.push(part);
  return Buffer.concat(parts).toString();
}

test.each([
  ['a line', (id: number) => `{"id":${id}}\n`],
  ['nothing', () => ''],
])('zstd of many frames with %s each, as written by programs that flush after each line', async (_, line) => {
  const lines = Array.from({ length: 100_000 }, (_, id) => line(id));
  expect(await textOf(pieces(Buffer.concat(lines.map(frame))))).toBe(lines.join(''));
});

test('truncated zstd is damaged', async () => {
  const whole = frame('text');
  await expect(textOf(pieces(frame('a'), whole.subarray(0, -1)))).rejects.toThrow('x.zst: damaged zstd data: ');
});
