import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { AnyObject, anyName, oneOf, Timestamp } from '@millrace/api/schemas/parts';
import { checkBody, checkTexts } from './validate.js';

const { Optional } = Type;
const Body = Type.Object({
  name: Type.String({ minLength: 1 }),
  kind: Optional(oneOf(['a', 'b'])),
  count: Optional(Type.Integer()),
  at: Optional(Timestamp('When.')),
  tags: Optional(Type.Array(Type.String())),
  inner: Optional(Type.Object({ x: Optional(Type.Integer()) })),
  rights: Optional(Type.Record(anyName, Type.Object({ read: Optional(Type.Boolean()) }))),
  closed: Optional(Type.Object({ x: Optional(Type.Integer()) }, { additionalProperties: false })),
  free: Optional(AnyObject('Anything.')),
  any: Optional(Type.Unknown()),
});

describe('bodies', () => {
  const good: readonly (readonly [string, unknown, unknown])[] = [
    [
      'null members count as missing',
      { name: 'n', kind: null, count: null, at: null, tags: null, inner: null },
      { name: 'n' },
    ],
    [
      'also deeper',
      { name: 'n', inner: { x: null }, rights: { d: { read: null } } },
      { name: 'n', inner: {}, rights: { d: {} } },
    ],
    [
      'also where others than those named are refused',
      { name: 'n', closed: { x: null, y: null } },
      { name: 'n', closed: {} },
    ],
    ['unknown members go', { name: 'n', other: 1, inner: { y: 2 } }, { name: 'n', inner: {} }],
    ['the zero time counts as missing', { name: 'n', at: '0001-01-01T00:00:00Z' }, { name: 'n' }],
    [
      'free objects stay as they are',
      { name: 'n', free: { a: null, b: { c: null } }, any: { d: [null] } },
      { name: 'n', free: { a: null, b: { c: null } }, any: { d: [null] } },
    ],
    [
      'nanoseconds',
      { name: 'n', at: '2026-11-20T10:00:00.123456789+02:00' },
      { name: 'n', at: '2026-11-20T10:00:00.123456789+02:00' },
    ],
    [
      'names every object inherits are names like others',
      { name: 'n', rights: { constructor: { read: true } } },
      { name: 'n', rights: { constructor: { read: true } } },
    ],
  ];
  test.each(good)('%s', (_, given, expected) => expect(checkBody(Body, given)).toEqual(expected));

  const bad: readonly (readonly [unknown, string])[] = [
    [undefined, 'needs a JSON body'],
    [null, 'needs a JSON body'],
    [[], 'the body must be an object'],
    ['text', 'the body must be an object'],
    [{}, "body 'name' is required"],
    [{ name: null }, "body 'name' is required"],
    [{ name: '' }, "body 'name' must not be empty"],
    [{ name: 'n', count: 1.5 }, "body 'count' must be a whole number"],
    [{ name: 'n', count: '1' }, "body 'count' must be a whole number"],
    [{ name: 'n', kind: 'c' }, "body 'kind' must be one of a, b"],
    [{ name: 'n', at: 'yesterday' }, "body 'at' must be a time as RFC 3339 writes it, such as 2026-01-31T10:00:00Z"],
    ...[
      '2026-02-30T00:00:00Z',
      '2016-12-31T23:59:60Z',
      '2026-01-31T10:00:00+01:00[Europe/Paris]',
      '2026-01-31t10:00:00z',
    ].map(
      (at) =>
        [{ name: 'n', at }, "body 'at' must be a time as RFC 3339 writes it, such as 2026-01-31T10:00:00Z"] as const,
    ),
    [{ name: 'n', tags: ['a', null] }, "body 'tags[1]' must be a string"],
    [{ name: 'n', inner: { x: 'y' } }, "body 'inner.x' must be a whole number"],
    [{ name: 'n', closed: { y: 1 } }, "body 'closed.y' is not known; expected one of x"],
    [{ name: 'n', rights: { 'a\nb': { read: 1 } } }, 'must be true or false'],
    [{ name: 'n', rights: { 'a\nb': 1 } }, 'must be an object'],
  ];
  test.each(bad)('%j is refused', (given, message) => expect(() => checkBody(Body, given)).toThrow(message));

  test('null is a list without items, as Go programs write it', () => {
    expect(checkBody(Type.Array(Type.String()), null)).toEqual([]);
    expect(() => checkBody(Type.Array(Type.String()), undefined)).toThrow('needs a JSON body');
  });
});

describe('query parameters', () => {
  const Query = Type.Object({
    flag: Optional(Type.Boolean()),
    limit: Optional(Type.Integer({ minimum: 1 })),
    at: Optional(Timestamp('When.')),
    names: Optional(Type.Array(Type.String())),
    text: Optional(Type.String()),
  });
  const good: readonly (readonly [Record<string, string | string[]>, unknown])[] = [
    [{}, {}],
    [{ flag: 'True' }, { flag: true }],
    [{ flag: 'true' }, { flag: true }],
    [{ flag: '1' }, { flag: true }],
    [{ flag: 'False' }, { flag: false }],
    [{ flag: '0' }, { flag: false }],
    [{ limit: '7', request: 'stray' }, { limit: 7 }],
    [{ limit: ['1', '2'] }, { limit: 2 }],
    [{ names: ['a', 'b,c', ''] }, { names: ['a', 'b', 'c'] }],
    [{ 'names[0]': 'a', 'names[1]': 'b' }, { names: ['a', 'b'] }],
    [{ 'names[]': ['a', 'b'], 'names[x]': 'stray', 'names]': 'stray' }, { names: ['a', 'b'] }],
    [{ names: '' }, {}],
    [{ text: '' }, {}],
    [{ at: ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'] }, {}],
    [{ constructor: 'x', toString: 'y' } as Record<string, string>, {}],
  ];
  test.each(good)('%j', (given, expected) => expect(checkTexts(Query, given, 'query parameter')).toEqual(expected));

  const bad: readonly (readonly [Record<string, string>, string])[] = [
    [{ flag: 'maybe' }, "query parameter 'flag' must be true or false"],
    [{ limit: '0' }, "query parameter 'limit' must be at least 1"],
    [{ limit: 'ten' }, "query parameter 'limit' must be a whole number"],
    [{ limit: '1e400' }, "query parameter 'limit' must be a whole number"],
  ];
  test.each(bad)('%j is refused', (given, message) =>
    expect(() => checkTexts(Query, given, 'query parameter')).toThrow(message),
  );

  test('a required one that is empty is refused by its own rule', () => {
    const Required = Type.Object({ dataset: Type.String({ minLength: 1 }) });
    expect(() => checkTexts(Required, { dataset: '' }, 'query parameter')).toThrow(
      "query parameter 'dataset' must not be empty",
    );
    expect(() => checkTexts(Required, {}, 'query parameter')).toThrow("query parameter 'dataset' is required");
  });
});

test('headers and path parameters go by the same rules', () => {
  expect(checkTexts(Type.Object({ 'x-a': Optional(Type.Integer()) }), { 'x-a': '5', 'x-b': 'c' }, 'header')).toEqual({
    'x-a': 5,
  });
  expect(checkTexts(Type.Object({ id: Type.String() }), { id: '12' }, 'path parameter')).toEqual({ id: '12' });
});
