import { expect, it } from 'vitest';
import { jsonParts } from './json-parts.js';

it.each([
  ['{}'],
  ['[ ]'],
  ['{"a":1}'],
  ['{ "a" : [1, {"b": 2}] ,\n  "c\\"}": "x,]\\\\" }'],
  ['[\n  60.0,\n  { "i": 1e3 }\n]'],
  ['["", "\\\\\\"", "{"]'],
])('%s equals the concatenation of its parts', (text) => {
  const parts = jsonParts(text);
  const joined = parts.map(({ lead, key, value, trail }) => lead + key + value + trail).join(',');
  expect(parts.length === 0 ? text.slice(1, -1).trim() : `${text[0]}${joined}${text.at(-1)}`).toBe(
    parts.length === 0 ? '' : text,
  );
  const parsed = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const values = parts.map(({ name, value }, index) => [
    Array.isArray(parsed) ? String(index) : name,
    JSON.parse(value),
  ]);
  expect(values).toEqual(Object.entries(parsed));
});
