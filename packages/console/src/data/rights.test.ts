import { expect, it } from 'vitest';
import { may, type Need, needText } from './rights.js';

const rights = [
  { datasetCapabilities: { logs: { query: ['read'] as const } }, orgCapabilities: {}, viewCapabilities: {} },
  {
    datasetCapabilities: { '*': { ingest: ['create'] as const } },
    orgCapabilities: { users: ['read'] as const },
    viewCapabilities: {},
  },
];

it.each<[boolean, Need]>([
  [true, { dataset: 'logs', can: 'query', action: 'read' }],
  [false, { dataset: 'other', can: 'query', action: 'read' }],
  [true, { dataset: 'other', can: 'ingest', action: 'create' }],
  [true, { org: 'users', action: 'read' }],
  [false, { org: 'users', action: 'create' }],
  [false, { org: 'rbac', action: 'read' }],
])('%s: %o', (allowed, need) => expect(may(rights, need)).toBe(allowed));

it('a need is said in words', () =>
  expect(needText({ org: 'users', action: 'create' })).toBe('Needs the right “users: create”'));
