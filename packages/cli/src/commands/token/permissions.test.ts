import { datasetResources, orgResources } from '@millrace/server/startup/offline';
import { describe, expect, it } from 'vitest';
import { plainRights, scopedRights } from './permissions.js';

describe('permissions on the command line', () => {
  it.each<readonly [readonly string[], object]>([
    [[], {}],
    [['logs:ingest'], { logs: { ingest: ['create'] } }],
    [['logs:ingest,query'], { logs: { ingest: ['create'], query: ['read'] } }],
    [['logs:ingest', 'logs:query'], { logs: { ingest: ['create'], query: ['read'] } }],
    [['*:virtualFields.read,virtualFields.create'], { '*': { virtualFields: ['read', 'create'] } }],
    [['a:b:query'], { 'a:b': { query: ['read'] } }],
    [['logs:all'], { logs: datasetResources }],
  ])('%j', (given, capabilities) => expect(scopedRights('--dataset', given, datasetResources)).toEqual(capabilities));

  it.each<readonly [readonly string[], object]>([
    [['datasets.read', 'datasets.update'], { datasets: ['read', 'update'] }],
    [['auditLog,users.read'], { auditLog: ['read'], users: ['read'] }],
  ])('%j', (given, rights) => expect(plainRights('--organisation', given, orgResources)).toEqual(rights));

  it.each<readonly [string, string]>([
    ['logs', '--dataset: expected NAME:RIGHTS'],
    [':query', '--dataset: expected NAME:RIGHTS'],
    ['logs:', "no such right: ''"],
    ['logs:qurey', "no such right: 'qurey'; did you mean query?"],
    ['logs:query.write', "query has no 'write', only read"],
    ['logs:__proto__', "no such right: '__proto__'"],
  ])('%s → %s', (given, message) =>
    expect(() => scopedRights('--dataset', [given], datasetResources)).toThrow(message),
  );
});
