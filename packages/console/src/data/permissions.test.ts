import { expect, it } from 'vitest';
import { may, type RequiredPermission, needText } from './permissions.js';

const rights = [
  { datasetCapabilities: { logs: { query: ['read'] as const } }, orgCapabilities: {}, viewCapabilities: {} },
  {
    datasetCapabilities: { '*': { ingest: ['create'] as const } },
    orgCapabilities: { users: ['read'] as const },
    viewCapabilities: {},
  },
];

it.each<[boolean, RequiredPermission]>([
  [true, { dataset: 'logs', can: 'query', action: 'read' }],
  [false, { dataset: 'other', can: 'query', action: 'read' }],
  [true, { dataset: 'other', can: 'ingest', action: 'create' }],
  [true, { org: 'users', action: 'read' }],
  [false, { org: 'users', action: 'create' }],
  [false, { org: 'rbac', action: 'read' }],
])('%s: %o', (allowed, need) => expect(may(rights, need)).toBe(allowed));

it('describes a permission', () =>
  expect(needText({ org: 'users', action: 'create' })).toBe('Requires permission users:create'));
