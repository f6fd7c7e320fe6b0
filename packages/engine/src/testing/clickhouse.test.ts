import { createRequire } from 'node:module';
import { expect, it, vi } from 'vitest';
import { CannotServe, clickHouseLogin, openClickHouse, whyNoClickHouse } from './clickhouse.js';

const absent = (await whyNoClickHouse()) !== undefined;

it.skipIf(absent)('is a server whose users have passwords and rights', async () => {
  const server = await openClickHouse({ grants: ['GRANT SELECT ON system.one'] });
  try {
    const ask = async (user: string, password: string, sql: string) => {
      const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password };
      const response = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', headers, body: sql });
      return (await response.text()).trim().slice(0, 'Code: 516'.length);
    };
    const { user, password } = clickHouseLogin;
    expect(await server.run('SELECT currentUser(), timezone()')).toBe('admin\tUTC');
    expect(await ask(user, password, 'SELECT 1')).toBe('1');
    expect(await ask(user, password, 'CREATE DATABASE more')).toBe('Code: 497');
    expect(await ask(user, 'guessed', 'SELECT 1')).toBe('Code: 516');
    expect(await ask('default', '', 'CREATE DATABASE more')).toBe('Code: 497');
  } finally {
    await server.end();
  }
});

it('is unavailable with a library that cannot serve, with an error', async () => {
  const library = createRequire(import.meta.url).resolve('@node-rs/crc32-linux-x64-gnu');
  const words = 'this build of the library has no entry point chdb_query_cmdline';
  await expect(openClickHouse({ library })).rejects.toEqual(new CannotServe(words));
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await whyNoClickHouse(library)).toBe(words);
  expect(write.mock.lastCall).toEqual([`Tests with a ClickHouse server are skipped: ${words}.\n`]);
  write.mockRestore();
});
