import { expect, it } from 'vitest';
import { groupName } from './group-name.js';

it.each([
  [null, 'no level'],
  ['null', 'null'],
  ['no level', '"no level"'],
  ['', ''],
  [404, '404'],
] as const)('the group of %j is named %j', (cell, name) => expect(groupName(cell, 'level')).toBe(name));
