import { ColumnBudget, DEFAULT_LIMITS, encodeJson, TOO_LONG } from '@millrace/events';
import { describe, expect, test } from 'vitest';
import { attribute, bodyOf, type Format, formats, optionsOf, spans } from './testing/test-requests.js';
import { unpackOtlp } from './unpack.js';

/**
 * Values that are short enough individually, in a container that is stored as a single value and
 * would be too long.
 */

const limits = { ...DEFAULT_LIMITS, maxValueBytes: 1000 };
const text = (key: string, length: number) => attribute(key, { stringValue: 'x'.repeat(length) });

/** The only event of a request, and the types with which its fields are stored. */
function storedEvent(format: Format, span: object, mapFields: ReadonlySet<string> = new Set(['attributes.custom'])) {
  const options = optionsOf('traces', format, { limits, mapFields });
  const { lines } = unpackOtlp(bodyOf('traces', format, spans(span)), options);
  const { uses } = encodeJson(lines, { arrivalTime: 0n, mapFields, placement: new ColumnBudget(), limits });
  return {
    event: JSON.parse(Buffer.from(lines).toString()) as Record<string, unknown>,
    types: Object.fromEntries(uses.map(({ field, type }) => [field, type])),
  };
}

describe.each(formats)('%s', (format) => {
  test('of the attributes in the map, the longest give way, and the others stay', () => {
    const { event, types } = storedEvent(format, {
      attributes: [text('model', 5), text('prompt', 600), text('answer', 500), text('twice', 900), text('twice', 3)],
    });
    expect(event['attributes.custom']).toEqual({
      model: 'xxxxx',
      prompt: TOO_LONG,
      answer: 'x'.repeat(500),
      twice: 'xxx',
    });
    expect(types['attributes.custom']).toBe('map');
  });

  test('as many as needed', () => {
    const attributes = Array.from({ length: 10 }, (_, i) => text(`k${i}`, 300 + i));
    const { event } = storedEvent(format, { attributes });
    const custom = Object.entries(event['attributes.custom'] as object);
    expect(custom.filter(([, value]) => value === TOO_LONG).map(([key]) => key)).toEqual(
      attributes.slice(2).map(({ key }) => key),
    );
  });

  test('is empty if each attribute is a separate field or they are just short enough', () => {
    const attributes = [text('a', 600), text('b', 600)];
    expect(storedEvent(format, { attributes }, new Set()).event['attributes.custom']).toEqual({
      a: 'x'.repeat(600),
      b: 'x'.repeat(600),
    });
    // {"a":"…","b":"…"}
    const rest = '{"a":"","b":""}'.length;
    const exact = { attributes: [text('a', 500), text('b', 500 - rest)] };
    expect(JSON.stringify(storedEvent(format, exact).event)).not.toContain(TOO_LONG);
    expect(storedEvent(format, exact).types['attributes.custom']).toBe('map');
    const longer = { attributes: [text('a', 501), text('b', 500 - rest)] };
    expect(JSON.stringify(storedEvent(format, longer).event)).toContain(TOO_LONG);
  });

  test.each(['events', 'links'])('of the attributes of all %s, the longest give way', (list) => {
    const { event, types } = storedEvent(format, {
      [list]: [{ attributes: [text('a', 400), text('k', 3)] }, { attributes: [text('b', 700)] }],
    });
    expect(event[list]).toMatchObject([
      { attributes: { a: 'x'.repeat(400), k: 'xxx' } },
      { attributes: { b: TOO_LONG } },
    ]);
    expect(types[list]).toBe('array');
  });
});
