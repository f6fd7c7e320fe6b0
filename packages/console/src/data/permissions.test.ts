import { expect, it } from 'vitest';
import { may, missingPermission, type RequiredPermission, needText } from './permissions.js';

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

it.each([
  [
    "forbidden: requires the dataset capability query:read on 'logs'; use a token with this capability",
    'Requires permission query:read on logs. Ask an owner to grant it.',
  ],
  [
    'forbidden: requires the organization capability users:read; use a token with this capability',
    'Requires permission users:read. Ask an owner to grant it.',
  ],
  ['forbidden: only owners may do that', 'Only owners may do that'],
])('%s', (message, text) => expect(missingPermission({ status: 403, message })).toBe(text));

it('other errors lack no permission', () =>
  expect(missingPermission({ status: 404, message: 'forbidden: requires nothing' })).toBeUndefined());
