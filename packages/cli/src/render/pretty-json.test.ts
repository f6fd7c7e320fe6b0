import { expect, it } from 'vitest';
import { prettyJson } from './pretty-json.js';

it.each([
  '{}',
  '[]',
  '{"a":[],"b":{},"c":[{}]}',
  '[1,"a\\\\",[true,null],{"b: \\"{":-2}]',
  '"x"',
  ` { "a" : 1 ,\n"b":[ 2 ]}`,
])('%s is formatted like JSON.stringify', (text) =>
  expect(prettyJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2)),
);

it('keeps spellings that JavaScript would change', () =>
  expect(prettyJson('{"a":60.0,"b":1769205867543185447,"c":"\\u00e9"}')).toBe(
    '{\n  "a": 60.0,\n  "b": 1769205867543185447,\n  "c": "\\u00e9"\n}',
  ));
