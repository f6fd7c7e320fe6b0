import { expect, test } from 'vitest';
import type { Principal } from './authorize.js';
import { type Capabilities, noCapabilities, orgResources } from '@millrace/api/schemas/capabilities';
import { checkGrant } from './grant.js';
import { builtInRoles } from './roles.js';

const holder = (capabilities: Partial<Capabilities>): Principal => ({
  kind: 'api-token',
  tokenId: 't',
  tokenName: 't',
  userId: 'u',
  capabilities: [{ ...noCapabilities, ...capabilities }],
});
const one = { datasetCapabilities: { logs: { query: ['read' as const] } } };
const every = { datasetCapabilities: { '*': { query: ['read' as const] } } };

const good: readonly (readonly [string, Partial<Capabilities>, Partial<Capabilities>])[] = [
  ['nothing', {}, {}],
  ['the same', one, one],
  ['one of all', every, one],
  ['all of all', every, every],
  ['an owner everything', builtInRoles[0]!.capabilities, builtInRoles[0]!.capabilities],
];
const documentedCapabilities = Object.fromEntries(
  Object.entries(orgResources).filter(([resource]) => resource !== 'labels' && resource !== 'metrics'),
) as Capabilities['orgCapabilities'];
const admin = builtInRoles.find(({ id }) => id === 'admin')!.capabilities;

test('everything documented suffices to make a user an admin, and less does not', () => {
  expect(() => checkGrant(holder({ ...admin, orgCapabilities: documentedCapabilities }), admin)).not.toThrow();
  const less = { ...documentedCapabilities, billing: ['read' as const] };
  expect(() =>
    checkGrant(holder({ ...admin, orgCapabilities: less }), { orgCapabilities: { labels: ['read'] } }),
  ).toThrow('labels:read');
});

test.each(good)('may grant %s', (_, has, gives) => expect(() => checkGrant(holder(has), gives)).not.toThrow());

const bad: readonly (readonly [string, Partial<Capabilities>, Partial<Capabilities>, string])[] = [
  ['all of one', one, every, "query:read on '*'"],
  ['another dataset', one, { datasetCapabilities: { other: { query: ['read'] } } }, "query:read on 'other'"],
  ['another right', one, { orgCapabilities: { users: ['create'] } }, 'users:create'],
  ['a view', one, { viewCapabilities: { v: { query: ['read'] } } }, "query:read on 'v'"],
  [
    'one right too many',
    one,
    { datasetCapabilities: { logs: { query: ['read'], ingest: ['create'] } } },
    'ingest:create',
  ],
];
test.each(bad)('may not grant %s', (_, has, gives, message) => {
  expect(() => checkGrant(holder(has), gives)).toThrow(message);
  expect(() => checkGrant({ kind: 'anonymous' }, gives)).toThrow('you cannot grant permissions you do not have');
});
