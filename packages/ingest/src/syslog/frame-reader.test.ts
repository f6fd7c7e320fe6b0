import { expect, test } from 'vitest';
import { FrameReader } from './frame-reader.js';

/** Reads a stream in chunks of this many bytes and returns its messages. */
function read(stream: string, size: number, max = 20): readonly string[] {
  const messages: string[] = [];
  const reader = new FrameReader(max, (message) => void messages.push(message.toString()));
  const bytes = Buffer.from(stream);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end();
  return messages;
}

test.each<[string, string, readonly string[]]>([
  ['lines', '<1>a\n<2>b\r\n\n<3>c', ['<1>a', '<2>b\r', '<3>c']],
  ['lengths', '4 <1>a7 <2>b\nc\n5 <3>é', ['<1>a', '<2>b\nc\n', '<3>é']],
  ['lengths and lines in turn', '4 <1>a<2>b\n4 <3>c', ['<1>a', '<2>b', '<3>c']],
  ['lines that end with NUL', '<1>a\0<2>b\0', ['<1>a', '<2>b']],
  ['a number that is no length', '12345678901 x\n<1>a\n', ['12345678901 x', '<1>a']],
  ['a long line', `${'x'.repeat(50)}\n<1>a\n`, [`${'x'.repeat(20)} [cut]`, '<1>a']],
  ['a long line that ends with NUL', `${'x'.repeat(50)}\0<1>a\0`, [`${'x'.repeat(20)} [cut]`, '<1>a']],
  ['nothing but line ends', '\0\n\0\0\n', []],
  ['a long message with its length', `50 ${'x'.repeat(50)}4 <1>a`, [`${'x'.repeat(20)} [cut]`, '<1>a']],
])('%s, in pieces of any size', (_, stream, messages) => {
  for (const size of [1, 2, 3, 7, 1000])
    expect(
      read(stream, size).map((text) => text.trimEnd()),
      `${size}`,
    ).toEqual(messages.map((text) => text.trimEnd()));
});
