import { describe, expect, it } from 'vitest';
import { expandMember, listIn } from './expand.js';

/** The events, read in pieces of `size` bytes, and the messages. */
async function expand(text: string, member: string, size: number) {
  const said: string[] = [];
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  let out = '';
  for await (const piece of expandMember(
    (async function* () {
      yield* pieces;
    })(),
    member,
    (message) => said.push(message),
  ))
    out += Buffer.from(piece).toString();
  return { lines: out.split('\n').slice(0, -1), said };
}

describe('expanded', () => {
  const cases: readonly (readonly [string, string, string, readonly string[], (readonly string[])?])[] = [
    [
      'CloudTrail',
      '{"Records":[{"eventName":"a"},{"eventName":"b"}]}',
      'Records',
      ['{"eventName":"a"}', '{"eventName":"b"}'],
    ],
    [
      'Azure, on lines',
      '{"records":[{"n":1}]}\n{"records":[{"n":2},\n {"n":3}]}\n',
      'records',
      ['{"n":1}', '{"n":2}', '{"n":3}'],
    ],
    [
      'in an array',
      '\ufeff[ {"records":[{"n":1}]} , {"records":[]},{"records":[{"n":2}]}]',
      'records',
      ['{"n":1}', '{"n":2}'],
    ],
    ['one after the other', '{"logs":[{"n":1}]}{"logs":[{"n":2}]}', 'logs', ['{"n":1}', '{"n":2}']],
    [
      'CloudWatch: members before the array are kept, with their digits',
      '{"owner":12345678901234567890,"logGroup":"g","logEvents":[{"id":"1","logGroup":"own"},{}],"nextToken":"t"}',
      'logEvents',
      ['{"owner":12345678901234567890,"id":"1","logGroup":"own"}', '{"owner":12345678901234567890,"logGroup":"g"}'],
      ["--expand: members after 'logEvents' are not stored: 'nextToken'"],
    ],
    [
      'pretty-printed',
      '{\n  "records": [\n    {\n      "a": "]}\\"",\n      "b": [1, {}]\n    }\n  ]\n}\n',
      'records',
      ['{       "a": "]}\\"",       "b": [1, {}]     }'],
    ],
    [
      'objects without it',
      '{"a":{"records":[1]}}\n{"records":{"n":1}}\n{"records":[{"n":2}]}',
      'records',
      ['{"a":{"records":[1]}}', '{"records":{"n":1}}', '{"n":2}'],
    ],
    [
      'no object with it',
      '{"a":"records","b":[1]}',
      'records',
      ['{"a":"records","b":[1]}'],
      ["--expand: no object of the input has an array 'records'; objects are stored as they are"],
    ],
    ['other values', '{"records":[1,"x,]", null ,[2]]}', 'records', ['1', '"x,]"', 'null', '[2]']],
    ['text between', 'text {\n{"records":[{"n":1}]} rest\n', 'records', ['text {', '{"n":1}', 'rest']],
    ['a key in escapes, and umlauts', '{"r\\u0065cords":[{"ä":"ö"}]}', 'records', ['{"ä":"ö"}']],
    [
      'an end inside an event',
      '{"records":[{"n":1},{"n":',
      'records',
      ['{"n":1}', '{"n":'],
      ["--expand: the input ends inside 'records'; it may be incomplete"],
    ],
    [
      'an end after one',
      '{"records":[{"n":1},',
      'records',
      ['{"n":1}'],
      ["--expand: the input ends inside 'records'; it may be incomplete"],
    ],
    ['an end before the array', '{"records":[{"n":1}]}\n{"rec', 'records', ['{"n":1}', '{"rec']],
  ];

  it.each(cases.map(([name, ...rest]) => ({ name, rest })))(
    '$name',
    async ({ rest: [text, member, lines, said = []] }) => {
      for (const size of [1, 7, 1000]) expect(await expand(text, member, size)).toEqual({ lines, said });
    },
  );

  it('keeps bytes that are not UTF-8', async () => {
    const parts: Buffer[] = [];
    const input = Buffer.from('{"records":[{"a":"\xff"}]}', 'latin1');
    const pieces = (async function* () {
      yield input;
    })();
    for await (const piece of expandMember(pieces, 'records', () => undefined)) parts.push(Buffer.from(piece));
    expect(Buffer.concat(parts).toString('latin1')).toBe('{"a":"\xff"}\n');
  });
});

describe('listIn', () => {
  it.each<readonly [string, string | undefined]>([
    ['{"Records": [ {"eventName":', 'Records'],
    ['{"messageType":"DATA_MESSAGE","owner":"1","logGroup":"g","logStream":"s","logEvents":[{"id":', 'logEvents'],
    ['[{"value":[{"n":1}]}]', 'value'],
    ['{"msg":"\\"records\\":[{"}', undefined],
    ['{"records":[1,2]}', undefined],
    ['{"order":{"records":[{"n":1}]}}', undefined],
    ['{"traceId":"t","spanId":"s","name":"n","events":[{"name":"e"}]}', undefined],
  ])('%s', (text, name) => expect(listIn(text)).toBe(name));
});
