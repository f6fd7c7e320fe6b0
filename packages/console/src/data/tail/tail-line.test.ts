import { describe, expect, it } from 'vitest';
import { cellsOfEvent, readTailLine } from './tail-line.js';

const event = String.raw`{"_time":"2026-11-26T10:00:00.123456789Z","n":9007199254740993,"msg":"a \"quote\", and {","m":{"a":[1]},"none":null}`;

describe('lines of a tail', () => {
  it('are events with their position, whatever they contain', () =>
    expect(readTailLine(`{"event":${event},"position":"84231","cursor":"0a-149f7-00"}`)).toEqual({
      kind: 'event',
      position: '84231',
      cursor: '0a-149f7-00',
      text: event,
    }));

  it('are watermarks, and the reason of the end', () => {
    expect(readTailLine('{"settled":"7","at":"2026-11-26T10:00:00Z","since":"7"}')).toEqual({
      kind: 'settled',
      position: '7',
      at: '2026-11-26T10:00:00Z',
    });
    expect(readTailLine('{"behind":{"position":"7","settled":"9"}}')).toEqual({
      kind: 'behind',
      position: '7',
      settled: '9',
    });
    expect(readTailLine('{"end":{"reason":"time"}}')).toEqual({ kind: 'end' });
    expect(readTailLine('{"error":{"code":"forbidden","message":"no"}}')).toEqual({ kind: 'error', message: 'no' });
    expect(() => readTailLine('{"event":{"a":1}')).toThrow(SyntaxError);
  });

  it('have exact values', () =>
    expect([...cellsOfEvent(event)]).toEqual([
      ['_time', '2026-11-26T10:00:00.123456789Z'],
      ['n', 9_007_199_254_740_993n],
      ['msg', 'a "quote", and {'],
      ['m', { kind: 'json', text: '{"a":[1]}' }],
      ['none', null],
    ]));

  it('of an event without fields have none', () => expect([...cellsOfEvent('{}')]).toEqual([]));
});
