import { describe, expect, test } from 'vitest';
import { cpuMilliseconds } from '../testing/cpu-time.js';
import { MAX_OPEN } from '../limits.js';
import { encode, errors, rowsOf } from '../testing/encode.js';

/** The body stores events with these values of `a`, and this many fail. */
function check(body: string, stored: readonly number[], failed = 0): void {
  test(`${JSON.stringify(body)}`, () => {
    const result = encode(body);
    expect(rowsOf(result).map((row) => Number(row['a#i']))).toEqual(stored);
    expect(result.failed).toBe(failed);
    expect(result.failures.length).toBe(failed);
    expect(result.ingested).toBe(stored.length);
  });
}

describe('what a body may be', () => {
  check('', []);
  check(' \n\t\r\n', []);
  check('\ufeff{"a":1}', [1]);
  check('{"a":1}', [1]);
  check(' { "a" : 1 } ', [1]);
  check('{\n  "a": 1\n}\n', [1]);
  check('{\n  "a": 1\n}\n{\n  "a": 2\n}\n', [1, 2]);
  check('{"a":1}\n{"a":2}\n', [1, 2]);
  check('{"a":1}\n{"a":2}', [1, 2]);
  check('{"a":1}\r\n{"a":2}\r\n', [1, 2]);
  check('{"a":1}\r{"a":2}\r', [1, 2]);
  check('\n\n{"a":1}\n\n\n{"a":2}\n\n', [1, 2]);
  check('{"a":1}{"a":2} {"a":3}', [1, 2, 3]);
  check('{"a":1},{"a":2}\n', [1, 2]);
  check('{"a":1},\n{"a":2},\n', [1, 2]);
  check('{"a":1}\n, {"a":2}', [1, 2]);
  check('[]', []);
  check('[ ]', []);
  check('[{"a":1}]', [1]);
  check('[ {"a":1} , {"a":2} ]', [1, 2]);
  check('[\n  {\n    "a": 1\n  },\n  {\n    "a": 2\n  }\n]\n', [1, 2]);
  check('[{"a":1}][{"a":2},{"a":3}]', [1, 2, 3]);
  check('[{"a":1}]\n[]\n{"a":2}\n[{"a":3}]', [1, 2, 3]);
});

describe('a broken line fails alone', () => {
  check('{"a":1}\n{"a":\n{"a":3}', [1, 3], 1);
  check('{"a":1}\n{"a":2\n{"a":3}', [1, 3], 1);
  check('{"a":1}\n{"a":"x\n{"a":3}', [1, 3], 1);
  check('{"a":1}\n{"a":[1,{"b":\n{"a":3}', [1, 3], 1);
  check('{"a":1}\n{\n{"a":3}', [1, 3], 1);
  check('{"a":1}\n{"a"\r\n{"a":3}', [1, 3], 1);
  check('{"a":1}\n{"a":}\n{"a":3}', [1, 3], 1);
  check('{"a":1}\n{a:2}\n{"a":3}', [1, 3], 1);
  check('{\'a\':1}\n{"a":3}', [3], 1);
  check('{"a":1}\nhello world\n{"a":3}', [1, 3], 1);
  check('2024-01-01 INFO {"a":2}\n{"a":3}', [3], 1);
  check('}\n{"a":3}', [3], 1);
  check('{"a":1},,{"a":2}\n{"a":3}', [1, 3], 1);
  check(',{"a":1}\n{"a":2}', [2], 1);
  check('{"a":1}\n{"a":}\n,{"a":2}\n{"a":3}', [1, 3], 2);
  check('{"a":1}\n{"a":2,}\n{"a":3}', [1, 3], 1);
  check('{"a":1}\n{"a":2}}\n{"a":3}', [1, 2, 3], 1);
  check('{"a":1}\n{"a":2', [1], 1);
  check('{"a":1}\n{', [1], 1);
  check('{"a":1}\n{"a":2}\0\0\0', [1, 2], 1);
  check('{"a":1} garbage', [1], 1);
  check('1\n"x"\nnull\ntrue\n{"a":5}', [5], 4);
  check('1 2 3\n{"a":5}', [5], 1);
  check('1 {"a":5}', [5], 1);
  check('{"a":1}\n[{"a":2},{"a"\n[{"a":4}]\n{"a":5}', [1, 2, 4, 5], 1);
});

describe('a broken event over several lines fails alone', () => {
  check('{\n  "a": 1\n}\n{\n  "a": ,\n  "o": {\n    "a": 7\n  }\n}\n{\n  "a": 3\n}', [1, 3], 1);
  check('{ "a": 1,\n  "b": 2 }\n{ "a": 2,\n  "b": }\n{ "a": 3 }', [1, 3], 1);
});

describe('a broken element fails alone', () => {
  check('[{"a":1},{"a":},{"a":3}]', [1, 3], 1);
  check('[{"a":1},{"a":{"b":[1,2}},{"a":3}]', [1, 3], 1);
  check('[{"a":1},{"a":[{"a":9},{"a":8}, "b":1},{"a":3}]', [1, 3], 1);
  check('[{"a":1},{"b":{"a":2},{"a":3}]{"a":4}', [1, 4], 1);
  check('[{"a":1},{"a":"x},{"a":3}]', [1], 1);
  check('[{"a":1},{a:[{"a":9},{"a":8}]},{"a":3}]', [1, 3], 1);
  check('[{"a":1},nonsense,{"a":3}]', [1, 3], 1);
  check('[{"a":1},5,null,[{"a":9}],{"a":3}]', [1, 3], 3);
  check('[{"a":1},{"a":2}', [1, 2], 1);
  check('[{"a":1},{"a":', [1], 1);
  check('[{"a":1},', [1], 1);
  check('[', [], 1);
  check('[{"a":1},]', [1], 1);
  check('[,{"a":1}]', [1], 1);
  check('[{"a":1},,{"a":2}]', [1, 2], 1);
  check('[{"a":1} {"a":2},{"a":3}]', [1, 2, 3], 1);
  check('[{"a":1}\n{"a":2}\n{"a":3}\n', [1, 2, 3], 1);
  check('[{"a":1},{"a"\n  {"a":2}\n{"a":3}\n', [1, 3], 1);
  check('[{"a":1},\n  {"a"\n{"a":2}\n{"a":3}\n', [1, 2, 3], 1);
  check('[{"a":1}x,{"a":3}]', [1, 3], 1);
  check('[{"a":1}},{"a":2}]{"a":3}', [1, 2, 3], 1);
  check('[{"a":1},{"a":}]{"a":3}', [1, 3], 1);
  check('[\n{"a":1},\n{"a":"x},\n{"a":3},\n{"a":4}\n]', [1, 3, 4], 1);
  check('[\n  {"a":1},\n  {"a":{"b":[1,2}},\n  {"a":3}\n]', [1, 3], 1);
  check('[{"a":1},\n{"a":2,\n{"a":3},\n{"a":4}]\n{"a":5}', [1, 3, 4, 5], 1);
  check('[\n  {\n    "a": 1,\n    "o": [\n      {\n        "a": \n      }\n  },\n  {\n    "a": 3\n  }\n]', [3], 1);
  check('[{"a":1,"b":"\\x"},{"a":2,"b":"]}"},{"a":3}]', [2, 3], 1);
});

describe('failures', () => {
  test('report index, line, byte, expected and found input', () => {
    const { failures } = encode('{"a":1}\n{"a" 2}\n\n[{"a":3},{"a":tru}]\n{"b":"\u0001"}\n{"c":"\\q"}\n{"d":01}\n7');
    expect(failures.map(({ index, offset, error }) => [index, offset, error])).toEqual([
      [1, 13, `event 1, line 2, byte 13: expected ':' behind a field name, found '2'`],
      [3, 34, `event 3, line 4, byte 34: expected the word true, found '}'`],
      [
        4,
        43,
        'event 4, line 5, byte 43: expected a control character to be escaped or the closing quote of a string, found byte 0x01',
      ],
      [5, 54, `event 5, line 6, byte 54: expected one of "\\/bfnrtu behind a backslash, found 'q'`],
      [6, 64, `event 6, line 7, byte 64: expected no digit behind a leading zero, found '1'`],
      [7, 67, `event 7, line 8, byte 67: expected an object, found '7'`],
    ]);
  });
  test('tell the first line of an event too, where it is another', () => {
    expect(encode('{"a":1}\n{"a":\n{"a":3}\n').failures.map(({ error }) => error)).toEqual([
      "event 1, line 4, byte 22, in what begins in line 2: expected ',' or '}', found the end",
    ]);
  });
  test('say how much was given up', () => {
    expect(errors('[{"a":1},{"a":"x},{"a":3}]')).toEqual([
      "expected ',' or '}', found 'a'; nothing behind it could be read",
    ]);
    expect(errors('{\n "a": ,\n "b": 1\n}\n{"a":2}')).toEqual([
      "expected a value, found ','; reading went on at byte 19",
    ]);
    // The skipped part may have contained events.
    expect(errors('[{"a":1},{"a":,{"a":3},{"a":4}]{"a":5}')).toEqual([
      "expected a value, found ','; reading went on at byte 31",
    ]);
    expect(errors('{"a":1}{"a":}{"a":3}\n{"a":4}')).toEqual([
      "expected a value, found '}'; reading went on at byte 20",
    ]);
    expect(errors('{"a":1}]{"a":3}')).toEqual(["expected a value, found ']'; nothing behind it could be read"]);
    expect(errors('[{"a":1},{"a":}]')).toEqual(["expected a value, found '}'"]);
  });
  test('at the end', () => {
    expect(errors('{"a":1')).toEqual(["expected ',' or '}', found the end"]);
    expect(errors('{"a":"x')).toEqual(['expected the closing quote of a string, found the end']);
    expect(errors('{"a":"\\')).toEqual(['expected one of "\\/bfnrtu behind a backslash, found the end']);
    expect(errors('{"a":"\\u12')).toEqual(["expected four hexadecimal digits behind \\u, found '1'"]);
    expect(errors('{"a":-')).toEqual(['expected a digit, found the end']);
    expect(errors('{"a"')).toEqual(["expected ':' behind a field name, found the end"]);
    expect(errors('{"a')).toEqual(['expected the closing quote of a string, found the end']);
    expect(errors('[{"a":1}')).toEqual(["expected ',' or ']', found the end"]);
  });
  test('have the event time if it was parsed', () => {
    const { failures } = encode('{"_time":1700000001,"a":}\n{"a":}\nx');
    expect(failures.map(({ time }) => time)).toEqual([
      1700000001000000000n,
      1700000000000000000n,
      1700000000000000000n,
    ]);
  });
  test('are all counted, the first ones listed', () => {
    const { failed, failures } = encode('x\n'.repeat(5000), { limits: { maxFailuresReported: 7 } });
    expect([failed, failures.length]).toEqual([5000, 7]);
  });
});

describe('failures in a row', () => {
  const limits = { maxFailuresInARow: 10, maxFailuresReported: 3 };
  test('end the reading when there are too many', () => {
    const { failed, failures, ingested } = encode(`[{"a":1},${',x'.repeat(1000)},{"a":2}]`, { limits });
    expect([ingested, failed, failures.length]).toEqual([1, 10, 3]);
    expect(failures[2]!.error).toMatch(/the 10 before it were no events either, and nothing behind it was read$/);
  });
  test('are counted from the last event on', () => {
    const { failed, ingested } = encode(`[${'x,x,x,x,{"a":1},'.repeat(20)}{}]`, { limits });
    expect([ingested, failed]).toEqual([21, 80]);
  });
  test('also where times are wrong', () => {
    const { failed, ingested } = encode('{"_time":"x"}\n'.repeat(100), { limits });
    expect([ingested, failed]).toEqual([0, 10]);
  });
});

describe('more open brackets than are kept track of', () => {
  const open = '['.repeat(MAX_OPEN + 1);
  test('are a failure, and reading continues at the next line that begins an event', () => {
    const result = encode(`[{x${open},{"a":1}\n{"a":2}]`);
    expect([result.failed, rowsOf(result)]).toEqual([1, [{ 'a#i': 2n }]]);
  });
  test('in an event that is not broken otherwise, are one too', () => {
    const { failed, failures } = encode(`{"a":${open}${']'.repeat(MAX_OPEN + 1)}}`);
    expect([failed, failures[0]!.error]).toEqual([
      1,
      expect.stringContaining('expected a value with at most a million brackets open'),
    ]);
  });
});

describe('made-up bodies take time in proportion to their length', () => {
  /** A generous bound: quadratic behavior would take minutes. */
  const bound = 3000;
  test('unbalanced closing brackets', () => {
    const spent = cpuMilliseconds(() => {
      encode(`[{x${'['.repeat(500_000)}${'}'.repeat(500_000)}`);
      encode(`[{x${'{'.repeat(500_000)}${']'.repeat(500_000)}`);
    });
    expect(spent).toBeLessThan(bound);
  });
  for (const [name, unit] of [
    ['opening lines', '{"a":\n'],
    ['opening pretty lines', '{\n"a":\n'],
    ['broken elements', '{x},'],
    ['broken lines', 'x\n'],
    ['brackets', '['],
    ['braces and quotes', '{"'],
    ['indented', ' {x\n  {x\n'],
    ['commas', ','],
  ] as const) {
    for (const prefix of ['', '[', '[{"a":1},\n  ']) {
      test(`${name} behind ${JSON.stringify(prefix)}`, () => {
        const body = prefix + unit.repeat(2_000_000 / unit.length);
        expect(cpuMilliseconds(() => encode(body))).toBeLessThan(bound);
      });
    }
  }
});
