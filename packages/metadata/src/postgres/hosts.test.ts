import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openMetadataIn } from '../open-metadata.js';
import { openPostgresPair, type PostgresPair, sharedPostgres, whyNoPostgres } from '../testing/postgres.js';
import { hostsOf, placeOf } from './hosts.js';
import { openPostgres } from './open-postgres.js';
import { reasonOf } from './reason.js';

it.each([
  ['postgres://u:p@a:1/db?sslmode=require', ['postgres://u:p@a:1/db?sslmode=require'], false],
  ['postgres://u@a,b:2/db', ['postgres://u@a/db', 'postgres://u@b:2/db'], true],
  [
    'postgres://a:1,[::1]:2,c/db?x=1&target_session_attrs=any',
    ['postgres://a:1/db?x=1', 'postgres://[::1]:2/db?x=1', 'postgres://c/db?x=1'],
    true,
  ],
  ['postgres://u:p%40q@a/db?target_session_attrs=read-write', ['postgres://u:p%40q@a/db'], true],
])('%s names its hosts', (url, urls, isReadWrite) => {
  expect(hostsOf(url)).toEqual({ urls, isReadWrite });
});

it('messages name hosts and database, never the password', () => {
  expect(placeOf('postgres://u:secret@a:1,b:2/db?x=1')).toBe('a:1,b:2/db');
});

it.each([
  [new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('')]), 'connect ECONNREFUSED ::1:1; Error'],
  [Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new Error('', { cause: new Error('why') }), 'why'],
  ['text', 'text'],
])('a reason is never empty: %s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});

describe.skipIf(whyNoPostgres() !== undefined)('several hosts', () => {
  let pair: PostgresPair;
  beforeAll(async () => void (pair = await openPostgresPair()));
  afterAll(() => pair?.end());

  test('the one that accepts writes is used, and the next one when that is gone', async () => {
    const url = `postgres://postgres@${pair.hosts.toReversed().join(',')}/postgres`;
    const metadata = await openMetadataIn({ url, patience: 5000 });
    await metadata.datasets.create({ name: 'before', who: '' });
    await pair.failOver();
    // Requests of the moment fail, and nothing needs a restart.
    await expect
      .poll(() =>
        metadata.datasets.create({ name: 'after', who: '' }).then(
          ({ name }) => name,
          () => undefined,
        ),
      )
      .toBe('after');
    await metadata.check();
    expect(metadata.datasets.list().map(({ name }) => name)).toEqual(['after', 'before']);
    await metadata.close();
    const gone = openPostgres(`postgres://postgres@${pair.hosts[0]},127.0.0.1:1/postgres`, { patience: 1000 });
    await expect(gone).rejects.toMatchObject({
      code: 'away',
      cause: { message: /no host accepts writes \(127.0.0.1:1: connect ECONNREFUSED/ },
    });
  });

  test('a host that hangs does not delay another', async () => {
    const hung = createServer(() => undefined);
    await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve));
    const { host, search } = new URL(await (await sharedPostgres()).place());
    const began = performance.now();
    const url = `postgres://postgres@127.0.0.1:${(hung.address() as AddressInfo).port},${host}/postgres${search}`;
    const opened = await openPostgres(url, { patience: 20_000 });
    expect(performance.now() - began).toBeLessThan(8000);
    await opened.shared.close();
    hung.close();
  });
});
