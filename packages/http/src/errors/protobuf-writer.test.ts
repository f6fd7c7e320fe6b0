import { expect, test } from 'vitest';
import { lengthDelimitedField, tag, varint } from '@millrace/ingest/otlp/testing/otlp-protobuf';
import { bytesField, numberField } from './protobuf-writer.js';

test.each([0, 1, 127, 128, 300, 2 ** 31, 2 ** 40])('the number %d', (value) =>
  expect(Buffer.from(numberField(3, value))).toEqual(Buffer.concat([tag(3, 0), varint(BigInt(value))])),
);

test.each(['', 'é', 'x'.repeat(300)])('the text %j', (text) =>
  expect(Buffer.from(bytesField(20, text))).toEqual(lengthDelimitedField(20, Buffer.from(text))),
);

test('a message in a message', () => {
  const inner = [numberField(1, 5), bytesField(2, 'why')];
  expect(Buffer.from(bytesField(1, inner))).toEqual(lengthDelimitedField(1, Buffer.concat(inner)));
});
