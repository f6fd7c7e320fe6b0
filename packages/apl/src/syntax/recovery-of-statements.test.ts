import { expect, test } from 'vitest';
import { expectedRecovery, recoveryOf } from '../testing/check-recovery.js';
import type { RecoveryCase } from '../testing/check-recovery.js';

const cases: readonly RecoveryCase[] = [
  [
    't | where (a == 1 | count',
    ['t | where (a == 1 «|» expected ) to close the ( at line 1, column 11, but found |'],
    't | where (a == 1 ) | count',
  ],
  [
    'print f(1, (2)',
    ['print f(1, (2)«» expected ) to close the ( at line 1, column 8, but found the end of the query'],
    'print f(1, (2))',
  ],
  ['t | where a) | count', ['t | where a«)» this ) closes nothing'], 't | where a | count'],
  ['t;\n| count', ['t«;» the ; ends the query before its next |'], 't\n| count'],
  ['let x = 5\nt | take x', ['let x = 5«» expected ; after the statement, but found t'], 'let x = 5;\nt | take x'],
  [
    "let x = dynamic([1])\n['t'] | where a in (x)",
    ['let x = dynamic([1])«» expected ; after the statement, but found ['],
    "let x = dynamic([1]);\n['t'] | where a in (x)",
  ],
  ['let x = 5 | count; t', ['let x = 5 «|» a pipeline begins with a table, not with a value']],
  ['t | count; u | count', ['t | count; «u» a text holds one query; name the earlier one with let, or remove it']],
  ['let f = () { let x = 1; x }; t', []],
  ['let f = () { let x = ; x }; t', ['let f = () { let x = «;» expected a value, but found ;']],
  [
    'declare parameters (a: int); t',
    ['declare «parameters» expected query_parameters after declare, but found parameters'],
    'declare query_parameters (a: int); t',
  ],
  [
    'declare query_parameters (a); t',
    ['declare query_parameters (a«)» expected : after the name of a parameter, but found )'],
  ],
  ['', ["«» expected a query, such as ['dataset'] | count"]],
  ['// nothing', ["«» expected a query, such as ['dataset'] | count"]],
  ['let x = 1;', ["let x = 1;«» expected a query, such as ['dataset'] | count"]],
  ['| where a', ["«|» expected a dataset, such as ['name'], but found |"]],
  [
    'select a from t',
    ["«select a from t» a query begins with its dataset: ['dataset'] | where … | summarize count() by field"],
  ],
  ['select | count', []],
  ['select-a | count', ["«select-a» a name with a dash must be quoted: ['select-a']"], "['select-a'] | count"],
];

test.each(cases.map(expectedRecovery))('$text', ({ text, ...recovery }) => {
  expect(recoveryOf(text)).toEqual(recovery);
});
