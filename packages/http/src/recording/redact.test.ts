import { describe, expect, test } from 'vitest';
import { redactPath, redactTokens } from './redact.js';

const routes = [
  { path: '/hook/{key}/{dataset}', secretPath: true },
  { path: '/v1/{kind}/input/{key}', secretPath: true },
  { path: '/v2/datasets/{id}' },
] as const;

describe('a path without tokens', () => {
  test.each([
    ['/hook/hush/logs', '/hook/{key}/logs'],
    ['/hook/hush', '/hook/{key}'],
    ['/HOOK/hush/logs/more', '/HOOK/{key}/logs/more'],
    ['/%68ook/hush/logs', '/%68ook/{key}/logs'],
    ['//hook//hush/logs', '//hook//{key}/logs'],
    ['/console/api/hook/hush/logs', '/console/api/hook/{key}/logs'],
    ['/v1/any/input/hush', '/v1/any/input/{key}'],
    ['/hook', '/hook'],
    ['/v2/datasets/logs', '/v2/datasets/logs'],
    ['/v2/datasets/caf%C3%A9', '/v2/datasets/caf%C3%A9'],
    ['/v2/datasets/xaat-12-34', '/v2/datasets/xaat-…'],
    ['/nowhere/%78aat-12', '/nowhere/xaat-…'],
    ['/nowhere/a%ZZ-xapt-12', '/nowhere/a%ZZ-xapt-…'],
  ])('%s → %s', (path, expected) => expect(redactPath(routes, path)).toBe(expected));
});

test('redacts a token and keeps the surrounding text', () =>
  expect(redactTokens('no token XAPT-ab12-cd, nor xotc-9')).toBe('no token XAPT-…, nor xotc-…'));
