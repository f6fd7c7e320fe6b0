import { expect, test } from 'vitest';
import { aggregateNamed } from '../aggregates/index.js';
import { functionNamed } from '../functions/index.js';
import { compileText } from '../testing/compile-text.js';
import { foreignArguments, foreignStars } from './foreign-arguments.js';
import { foreignFunctionAdvice, foreignFunctions } from './foreign-functions.js';
import { foreignOperatorAdvice, foreignOperatorNames, respelledOperators } from '../syntax/foreign-operators.js';
import { operatorNames } from '../syntax/operator-names.js';
import { specialForms } from './special.js';

const exists = (name: string): boolean =>
  functionNamed(name) !== undefined || aggregateNamed(name) !== undefined || specialForms.has(name);

test('foreign names do not exist here, and the names they map to do', () => {
  expect([...foreignFunctions.keys()].filter(exists)).toEqual([]);
  expect([...foreignFunctions.values()].filter((name) => !exists(name))).toEqual([]);
});

test('names with advice do not exist here, and those that take less than elsewhere do', () => {
  expect([...foreignFunctionAdvice.keys()].filter(exists)).toEqual([]);
  expect([...foreignFunctions.keys()].filter((name) => foreignFunctionAdvice.has(name))).toEqual([]);
  expect([...foreignArguments.keys(), ...foreignStars.keys()].filter((name) => !exists(name))).toEqual([]);
});

test('operators with other names or with advice do not exist here', () => {
  const foreign = [...foreignOperatorNames.keys(), ...foreignOperatorAdvice.keys(), ...respelledOperators.keys()];
  expect(foreign.filter((name) => operatorNames.has(name))).toEqual([]);
  expect(new Set(foreign).size).toBe(foreign.length);
  expect([...foreignOperatorNames.values()].filter((name) => !operatorNames.has(name))).toEqual([]);
});

test.each([
  ['print x = substr("abc", 1)', 'there is no function substr; did you mean substring?'],
  ['print x = LENGTH("abc")', 'there is no function LENGTH; did you mean strlen?'],
  ['print x = 1 | summarize cont()', 'there is no function cont; did you mean count?'],
  ['print x = 1 | summarize cnt()', 'there is no function cnt; did you mean count?'],
  ['print x = 1 | summarize mean(x)', 'there is no function mean; did you mean avg?'],
  ['print x = tonumber("1")', 'there is no function tonumber; did you mean toreal?'],
  ['print x = 1 | table x', 'there is no operator table; did you mean project?'],
  [
    'print x = 1 | top-hitters 5 of x',
    'there is no operator top-hitters; write summarize n = count() by a | top 5 by n',
  ],
  ['print x = 1 | sample-distinct 5 of x', 'there is no operator sample-distinct; write distinct a | take 5'],
  ['print x = 1 | sort-by x', 'there is no operator sort-by; did you mean sort by?'],
  [
    'print x = guid( 74be27de-1e4e-49d9-b579-fe0b331d3642 )',
    'there is no type guid; a GUID is a text, in the letters that events have: "74be27de-1e4e-49d9-b579-fe0b331d3642"',
  ],
  ['print x = pack_all()', 'there is no function pack_all; bag_pack(*) makes an object of all columns'],
  [
    'print x = 1 | summarize take_any(x, x)',
    'take_any takes 1 argument, not 2: take_any(value); write one for each column: take_any(a), take_any(b)',
  ],
  [
    'print x = 1 | summarize take_any(*)',
    'take_any takes neither named arguments nor *; write one for each column, or arg_max(_time, *) for the columns of one row',
  ],
  [
    'print x = floor(17, 5)',
    'floor takes 1 argument, not 2: floor(number); bin(value, size) rounds down to a multiple',
  ],
  ['print a = datetime_part(hour, now())', "no column hour; a text is written 'hour'"],
])('%s', (query, message) => {
  expect(compileText(query).diagnostics.map((d) => d.message)).toContain(message);
});

test('what a text must be is meant as one, even if a column has a similar name', () => {
  const { diagnostics } = compileText('print hours = 1 | extend part = datetime_part(hour, now())');
  expect(diagnostics).toMatchObject([
    { message: "no column hour; a text is written 'hour'", fix: { replacement: "'hour'" } },
  ]);
});
