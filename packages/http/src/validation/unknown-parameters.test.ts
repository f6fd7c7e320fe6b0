import { expect, test } from 'vitest';
import { rejectMisspelledParameters } from './unknown-parameters.js';

const knownParameters = ['timestamp-field', 'timestamp-format', 'id'];

test.each([
  ['timestampfield', 'timestamp-field'],
  ['timestamp_field', 'timestamp-field'],
  ['Timestamp-Field', 'timestamp-field'],
  ['timestamp-feild', 'timestamp-field'],
  ['timestamp-fromat', 'timestamp-format'],
  ['ID', 'id'],
])("'%s' was meant as '%s'", (name, meant) =>
  expect(() => rejectMisspelledParameters(knownParameters, [name])).toThrow(
    `unknown query parameter '${name}'; did you mean '${meant}'?`,
  ),
);

test.each(['request', 'timeout', 'ids', 'source-id', 'time', 'constructor', ''])("'%s' has no suggestion", (name) =>
  expect(() => rejectMisspelledParameters(knownParameters, [name])).not.toThrow(),
);

test('one that is sent rightly too is no misspelling', () =>
  expect(() => rejectMisspelledParameters(knownParameters, ['timestamp-field', 'timestamp_field'])).not.toThrow());
