import { expect, test } from 'vitest';
import { findNearest } from './suggestions.js';

const names = ['where', 'project', 'project-away', 'summarize', 'has', 'in', 'contains'];

test.each([
  ['wehre', 'where'],
  ['WHERE', 'where'],
  ['wher', 'where'],
  ['projct', 'project'],
  ['projectaway', 'project-away'],
  ['summarise', 'summarize'],
  ['contians', 'contains'],
  ['hass', 'has'],
  ['', undefined],
  ['xy', undefined],
  ['frobnicate', undefined],
])('%s → %s', (written, expected) => expect(findNearest(written, names)).toBe(expected));

test('the nearest wins', () => expect(findNearest('projects', ['project-away', 'project', 'product'])).toBe('project'));

test('among equally near names, one with the same first letter wins', () =>
  expect(findNearest('nope', ['topk', 'not'])).toBe('not'));
