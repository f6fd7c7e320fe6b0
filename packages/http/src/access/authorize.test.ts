import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAllowed, describePermission, type RequiredPermission, type Principal } from './authorize.js';
import { type Capabilities, noCapabilities } from '@millrace/api/schemas/capabilities';
import { builtInRoles } from './roles.js';

const with_ = (...capabilities: Partial<Capabilities>[]): Principal => ({
  kind: 'api-token',
  tokenId: 't',
  tokenName: 't',
  userId: 'u',
  capabilities: capabilities.map((some) => Object.assign({}, noCapabilities, some)),
});
const role = (id: string): Principal => with_(builtInRoles.find((role) => role.id === id)!.capabilities);
const nobody: Principal = { kind: 'anonymous' };

const read = (name?: string): RequiredPermission => ({
  scope: 'dataset',
  resource: 'query',
  action: 'read',
  ...(name === undefined ? {} : { name }),
});
const ingest = (name: string): RequiredPermission => ({ scope: 'dataset', resource: 'ingest', action: 'create', name });
const logs = with_({ datasetCapabilities: { logs: { query: ['read'] } } });
const all = with_({ datasetCapabilities: { '*': { query: ['read'] } } });
const auditor = with_({ orgCapabilities: { auditLog: ['read'] } });

const cases: readonly (readonly [string, Principal, RequiredPermission, boolean])[] = [
  ['anybody on a public route', nobody, { scope: 'public' }, true],
  ['nobody where a login is needed', nobody, { scope: 'login' }, false],
  ['nobody anywhere else', nobody, read(), false],
  ['a token without rights logs in', with_(), { scope: 'login' }, true],
  ['a token without rights', with_(), read('logs'), false],
  ['the dataset named', logs, read('logs'), true],
  ['another dataset', logs, read('other'), false],
  ['some dataset', logs, read(), true],
  ['another right on it', logs, ingest('logs'), false],
  ['every dataset', all, read('whatever'), true],
  ['a dataset called like the wildcard', logs, read('*'), false],
  [
    'two sources of rights',
    with_({}, { orgCapabilities: { views: ['read'] } }),
    { scope: 'org', resource: 'views', action: 'read' },
    true,
  ],
  [
    'another action',
    with_({ orgCapabilities: { views: ['read'] } }),
    { scope: 'org', resource: 'views', action: 'delete' },
    false,
  ],
  [
    'a view',
    with_({ viewCapabilities: { v: { query: ['read'] } } }),
    { scope: 'view', resource: 'query', action: 'read', name: 'v' },
    true,
  ],
  [
    'a query of a view needs no right on a dataset',
    with_({ viewCapabilities: { v: { query: ['read'] } } }),
    { scope: 'query', name: 'v' },
    true,
  ],
  ['a query of a dataset needs none on a view', logs, { scope: 'query', name: 'logs' }, true],
  ['a query of something else', logs, { scope: 'query', name: 'v' }, false],
  ['some query', with_({ viewCapabilities: { v: { query: ['read'] } } }), { scope: 'query' }, true],
  [
    'a right on a view that is no query',
    with_({ viewCapabilities: { v: { share: ['read'] } } }),
    { scope: 'query' },
    false,
  ],
  ['a view is no dataset', with_({ viewCapabilities: { v: { query: ['read'] } } }), read('v'), false],
  ['all datasets are not the audit log', all, read('millrace-audit'), false],
  ['the right to the audit log', auditor, read('millrace-audit'), true],
  ['opens the door to queries', auditor, read(), true],
  ['and no dataset', auditor, read('logs'), false],
  ['the owner reads the audit log', role('owner'), read('millrace-audit'), true],
  ['nobody writes into it', role('owner'), ingest('millrace-audit'), false],
  [
    'nobody trims it',
    role('owner'),
    { scope: 'dataset', resource: 'trim', action: 'update', name: 'millrace-audit' },
    false,
  ],
  ['the owner does everything', role('owner'), { scope: 'org', resource: 'billing', action: 'update' }, true],
  ['an admin does not pay', role('admin'), { scope: 'org', resource: 'billing', action: 'update' }, false],
  ['a user ingests', role('user'), ingest('logs'), true],
  ['a user makes no tokens', role('user'), { scope: 'org', resource: 'apiTokens', action: 'create' }, false],
  ['read-only reads', role('read-only'), read('logs'), true],
  ['read-only does not ingest', role('read-only'), ingest('logs'), false],
  ['none', role('none'), read(), false],
];

describe('allowed', () => {
  test.each(cases)('%s', (_, principal, need, expected) => expect(isAllowed(principal, need)).toBe(expected));

  test('names inherited by every object return no result', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(isAllowed(logs, read(name))).toBe(false);
      expect(isAllowed(logs, { scope: 'dataset', resource: name as never, action: name as never, name: 'logs' })).toBe(
        false,
      );
    }
  });

  test('a right on one dataset gives nothing on any other', () =>
    assert(
      property(
        string(),
        constantFrom(logs, auditor),
        (name, principal) => isAllowed(principal, read(name)) === (principal === logs && name === 'logs'),
      ),
    ));

  test('needs are described as a person would ask for them', () => {
    expect(describePermission(read('logs'))).toBe("the dataset capability query:read on 'logs'");
    expect(describePermission({ scope: 'org', resource: 'users', action: 'read' })).toBe(
      'the organization capability users:read',
    );
    expect(describePermission({ scope: 'query' })).toBe('the dataset or view capability query:read');
  });
});
