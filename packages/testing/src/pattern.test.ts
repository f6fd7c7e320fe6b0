import { expect, it } from 'vitest';
import type { Event } from './event.js';
import { compareFields, type LogPattern } from './pattern.js';

const event = {
  _time: '2026-01-02T03:04:05Z',
  level: 50,
  msg: 'payment timeout',
  order: 17,
  paid: false,
  'user.id': 7,
  'user.roles': ['a', { b: 1 }],
  'attributes.http.route': '/pay',
  'attributes.custom': { 'card.kind': 'visa' },
  'resource.host.name': 'shop-1',
};
const otlp = { severity_text: 'WARN', body: 'disk full' };

const cases: readonly (readonly [LogPattern, boolean, Event?])[] = [
  [{ msg: 'payment timeout' }, true],
  [{ msg: 'payment' }, false],
  [{ msg: /timeout$/ }, true],
  // A regular expression with a position finds the same text each time.
  [{ msg: /timeout/g, message: /timeout/g }, true],
  [{ order: /17/ }, false],
  [{ order: 17 }, true],
  [{ order: 17n }, true],
  [{ order: '17' }, false],
  [{ order: (value) => Number(value) > 16 }, true],
  [{ order: expect.any(Number) }, true],
  [{ order: expect.any(String) }, false],
  [{ paid: false }, true],
  [{ paid: null }, false],
  [{ none: null, missing: undefined }, true],
  [{ _time: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)) }, true],
  [{ user: { id: 7 } }, true],
  [{ 'user.id': 7 }, true],
  [{ user: { id: 7, name: 'x' } }, false],
  [{ user: { roles: ['a', { b: 1 }] } }, true],
  [{ 'user.roles': ['a'] }, false],
  // Levels of pino, winston and OpenTelemetry; messages under their other names.
  [{ level: 'error' }, true],
  [{ level: 'ERROR' }, true],
  [{ level: /err/ }, true],
  [{ level: 50 }, true],
  [{ level: 'info' }, false],
  [{ message: /timeout/ }, true],
  [{ level: 'warn', msg: 'disk full' }, true, otlp],
  [{ level: 'warning' }, true, otlp],
  // Attributes, wherever they are stored.
  [{ attributes: { 'http.route': '/pay', 'card.kind': 'visa', 'host.name': 'shop-1' } }, true],
  [{ attributes: { card: { kind: 'visa' } } }, true],
  [{ attributes: { 'card.kind': 'amex' } }, false],
];
it.each(cases.map(([pattern, matches, other = event]) => ({ pattern, matches, other })))(
  '$pattern: $matches',
  ({ pattern, matches, other }) => expect(compareFields(pattern, other).every((field) => field.matches)).toBe(matches),
);
