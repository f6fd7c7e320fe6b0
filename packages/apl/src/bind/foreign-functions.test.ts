import { expect, test } from 'vitest';
import { aggregateNamed } from '../aggregates/index.js';
import { functionNamed } from '../functions/index.js';
import { compileText } from '../testing/compile-text.js';
import { foreignFunctions } from './foreign-functions.js';
import { specialForms } from './special.js';

const exists = (name: string): boolean =>
  functionNamed(name) !== undefined || aggregateNamed(name) !== undefined || specialForms.has(name);

test('foreign names do not exist here, and the names they map to do', () => {
  expect([...foreignFunctions.keys()].filter(exists)).toEqual([]);
  expect([...foreignFunctions.values()].filter((name) => !exists(name))).toEqual([]);
});

test.each([
  ['print x = substr("abc", 1)', 'there is no function substr; did you mean substring?'],
  ['print x = LENGTH("abc")', 'there is no function LENGTH; did you mean strlen?'],
  ['print x = 1 | summarize cont()', 'there is no function cont; did you mean count?'],
  ['print x = 1 | summarize cnt()', 'there is no function cnt; did you mean count?'],
  ['print x = 1 | summarize mean(x)', 'there is no function mean; did you mean avg?'],
  ['print x = tonumber("1")', 'there is no function tonumber; did you mean toreal?'],
  ['print x = 1 | table x', 'there is no operator table; did you mean project?'],
  ['print x = 1 | sample-distinct x', 'there is no operator sample-distinct; did you mean distinct?'],
])('%s', (query, message) => {
  expect(compileText(query).diagnostics.map((d) => d.message)).toContain(message);
});
