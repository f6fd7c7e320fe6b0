import { expect, test } from 'vitest';
import { addOriginToJson, addOriginToProtobuf } from './otlp-origin.js';

const message = { topic: 't', partition: 1, offset: 2n, timestamp: 0n, key: undefined, value: undefined, headers: [] };
const attributeText =
  '{"key":"kafka","value":{"kvlistValue":{"values":[{"key":"topic","value":{"stringValue":"t"}},' +
  '{"key":"partition","value":{"intValue":"1"}},{"key":"offset","value":{"intValue":"2"}}]}}}';

test.each([
  ['{}', `{"resource":{"attributes":[${attributeText}]}}`],
  ['{"scopeLogs":[ ]}', `{"scopeLogs":[ ],"resource":{"attributes":[${attributeText}]}}`],
  ['{"resource":null}', `{"resource":null,"resource":{"attributes":[${attributeText}]}}`],
  [
    '{ "resource" : { "attributes" : [] }, "scopeLogs":[{"n":12345678901234567890}]}',
    `{ "resource" : { "attributes" : [${attributeText}] }, "scopeLogs":[{"n":12345678901234567890}]}`,
  ],
  [
    '{"schemaUrl":"resource","resource":{"attributes":[{"key":"attributes"}],"x":1}}',
    `{"schemaUrl":"resource","resource":{"attributes":[{"key":"attributes"},${attributeText}],"x":1}}`,
  ],
  ['{"resource":{"attributes":null}}', `{"resource":{"attributes":null,"attributes":[${attributeText}]}}`],
  ['7', '7'],
] as const)('%s', (element, expected) => {
  expect(addOriginToJson(element, message)).toBe(expected);
});

test('a request in protobuf that is damaged keeps its bytes', () => {
  for (const bytes of [[10, 9, 1], [10], [10, 0x80], [18, 0], [10, 0xff, 0xff, 0xff, 0xff, 0xff, 1]])
    expect([...addOriginToProtobuf(Buffer.from(bytes), message)]).toEqual(bytes);
});
