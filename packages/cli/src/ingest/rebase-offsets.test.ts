import { describe, expect, it } from 'vitest';
import type { Format } from '@millrace/sources/files/format';
import { rebaseReason } from './rebase-offsets.js';
import { Splitter } from '@millrace/sources/files/split';

/**
 * Error that a server reports for the line of a body that has `x`, with its position in the input.
 */
function rebasedError(format: Format, text: string, maxBytes: number, header = format === 'csv'): string {
  const splitter = new Splitter({ format, maxBytes, header, delimiter: ',' });
  const parts = [...splitter.push(Buffer.from(text)), ...splitter.end()];
  expect(parts.length).toBeGreaterThan(1);
  const part = parts.find(({ body }) => Buffer.from(body).includes('x'))!;
  const body = Buffer.from(part.body).toString();
  const at = body.indexOf('x');
  const lineOf = (end: number) => body.slice(0, end).split(/\r\n|\r|\n/).length;
  const byte = format === 'csv' ? '' : `, byte ${at}`;
  const begins = format === 'json' ? `, in what begins in line ${lineOf(body.lastIndexOf('{', at))}` : '';
  return rebaseReason(`event 7, line ${lineOf(at)}${byte}${begins}: expected y`, part);
}

describe('the position of a failed event is that in the input', () => {
  it.each<readonly [Format, string, string]>([
    ['ndjson', '{"a":1}\n\n{"b":2}\n{"c":x}\n', 'line 4, byte 22: expected y'],
    ['ndjson', '{"a":1}\r\n{"c":x}', 'line 2, byte 14: expected y'],
    ['csv', 'a,b\n1,2\n3,x\n', 'line 3: expected y'],
    ['csv', '\na,\n1,2\n3,x\n', 'line 4: expected y'],
    ['csv', 'a,"b\nc"\n1,"2\n2"\n3,x\n', 'line 5: expected y'],
    ['csv', 'a,b\r\n1,"2\r2"\r\n3,x', 'line 4: expected y'],
    ['csv', 'a,b\r1,2\r3,x\r', 'line 3: expected y'],
    ['json', '[\n {"a":1},\n\n {"b":\n  x}\n]', 'line 5, byte 22, in what begins in line 4: expected y'],
    ['json', '[{"a":1},\r{"b":\n\n2},\n {"c":4}, {"d":x}]', 'line 5, byte 36, in what begins in line 5: expected y'],
    ['json', '{"a":1}\n{"b":\nx', 'line 3, byte 14, in what begins in line 2: expected y'],
  ])('%s: %j', (format, text, expected) =>
    expect(rebasedError(format, text, format === 'csv' ? 8 : 14)).toBe(expected),
  );

  it('several values in one request', () =>
    expect(rebasedError('json', `[{"a":${'1'.repeat(40)}},\n{"b":\n2}, \n{"c":3},{"d":x}]`, 40)).toBe(
      'line 4, byte 73, in what begins in line 4: expected y',
    ));

  it('a CSV without names', () => expect(rebasedError('csv', '1,2\n3,4\n5,x\n', 4, false)).toBe('line 3: expected y'));

  it('where parsing resumed', () =>
    expect(
      rebaseReason('event 1, line 2, byte 9: expected a; reading went on at byte 12', {
        body: Buffer.from('a\n'.repeat(10)),
        offset: 100,
        runs: [{ at: 0, offset: 100, line: 50 }],
      }),
    ).toBe('line 52, byte 109: expected a; reading went on at byte 112'));

  it('messages of other servers follow the position of the request', () =>
    expect(rebaseReason('no', { body: Buffer.from('a'), offset: 100, runs: [{ at: 0, offset: 100, line: 50 }] })).toBe(
      'in the part from byte 100: no',
    ));

  it('an input that is one request', () =>
    expect(rebaseReason('event 1, line 2: no', { body: Buffer.from('a'), offset: 0 })).toBe('event 1, line 2: no'));
});
