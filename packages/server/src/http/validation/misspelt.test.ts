import { expect, test } from 'vitest';
import { requireSpelling } from './misspelt.js';

const known = ['timestamp-field', 'timestamp-format', 'id'];

test.each([
  ['timestampfield', 'timestamp-field'],
  ['timestamp_field', 'timestamp-field'],
  ['Timestamp-Field', 'timestamp-field'],
  ['timestamp-feild', 'timestamp-field'],
  ['timestamp-fromat', 'timestamp-format'],
  ['ID', 'id'],
])("'%s' was meant as '%s'", (name, meant) =>
  expect(() => requireSpelling(known, [name])).toThrow(
    `there is no query parameter '${name}'; did you mean '${meant}'?`,
  ),
);

test.each(['request', 'timeout', 'ids', 'source-id', 'time', 'constructor', ''])(
  "'%s' is nobody's misspelling",
  (name) => expect(() => requireSpelling(known, [name])).not.toThrow(),
);

test('one that is sent rightly too is no misspelling', () =>
  expect(() => requireSpelling(known, ['timestamp-field', 'timestamp_field'])).not.toThrow());
