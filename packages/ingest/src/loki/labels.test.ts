import { expect, test } from 'vitest';
import { parseLabels } from './labels.js';

test.each<[string, Readonly<Record<string, string>> | undefined]>([
  ['{}', {}],
  ['{app="web"}', { app: 'web' }],
  ['{ app = "web" , path="C:\\\\logs",}', { app: 'web', path: 'C:\\logs' }],
  ['{a="x=1, b=\\"2\\" }",c="{}"}', { a: 'x=1, b="2" }', c: '{}' }],
  ['{a="\\n\\t\\u00e9\\xc3\\xa9\\303\\251\\U0001F600"}', { a: '\n\té\u{e9}\u{e9}\u{1F600}' }],
  ['{a.b="1",größe="ü"}', { 'a.b': '1', größe: 'ü' }],
  ['{a="1"', undefined],
  ['{a=1}', undefined],
  ['{a="1" b="2"}', undefined],
  ['app="web"', undefined],
  ['', undefined],
])('%s', (text, labels) => {
  const parsed = parseLabels(text);
  expect(parsed && Object.fromEntries(parsed)).toEqual(labels);
});

test('labels beyond the limit are not parsed', () => {
  const labels = (count: number) => `{${Array.from({ length: count }, (_, i) => `a${i}=""`).join(',')}}`;
  expect(parseLabels(labels(100_000))?.size).toBe(100_000);
  expect(parseLabels(labels(100_001))).toBeUndefined();
});
