import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { clickHouseLogin, openClickHouse } from '../../packages/engine/src/testing/clickhouse.ts';
import { defaultSettings } from '@millrace/http/settings/settings';
import { openSharedDatabase } from '@millrace/server/startup/open-metadata-database';
import { restoreIntoNodes } from '@millrace/server/startup/restore-nodes';
import { cell, createDataset, send } from '../support/apl.ts';
import { millrace } from '../support/command.ts';
import { isDeep } from '../support/depth.js';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from '../support/server-process.ts';
import { cluster, ids, isMissing, node, upTo } from './cluster.ts';

describe.skipIf(isMissing)('three nodes', () => {
  it('are backed up at one moment while all of them take events, and restored', async () => {
    await createDataset(node(0), 'kept');
    const first = upTo(30);
    await Promise.all(first.map((id) => send(node(id), 'kept', JSON.stringify({ id, [`f${id % 4}`]: `x${id}` }))));
    let going = true;
    const later = [0, 1, 2].map(async (n) => {
      for (let id = 1000 * (n + 1); going; id++) {
        await send(node(n), 'kept', JSON.stringify([{ id }, { id: -id }]));
        await pause(50);
      }
    });
    const directory = temporaryDirectory();
    const [backup, target] = [`${directory}/backup`, `${directory}/restored`];
    const { code, err } = await millrace(['backup', backup], { server: node(1) });
    expect([code, err]).toEqual([0, '']);
    going = false;
    await Promise.all(later);
    expect((await millrace(['restore', backup, '--data-dir', target])).code).toBe(0);
    const manifest = JSON.parse(readFileSync(`${backup}/manifest.json`, 'utf8')) as { readonly position: string };
    /** Whether new events get positions after those of the backup. */
    const behind = async (server: ServerProcess): Promise<boolean> => {
      const position = (await send(server, 'kept', '{"id":7777}')).headers.get('x-millrace-position')!;
      expect(await cell(server, 'kept | where id == 7777 | count')).toBe(1);
      return BigInt(position) > BigInt(manifest.position);
    };
    const alone = await startServer(target, { MILLRACE_LOG_LEVEL: 'warn' });
    let there: readonly number[] = [];
    try {
      there = await ids(alone, 'kept');
      expect(first.filter((id) => !there.includes(id))).toEqual([]);
      expect(new Set(there).size).toBe(there.length);
      // Requests are stored completely or not at all.
      const halves = there.filter((id) => Math.abs(id) >= 1000);
      expect(halves.filter((id) => !halves.includes(-id))).toEqual([]);
      expect(await cell(alone, 'kept | where f1 == "x5" | count')).toBe(1);
      expect(await behind(alone)).toBe(true);
    } finally {
      await alone.kill();
    }
    if (!isDeep) return removeDirectory(directory);
    // The same into other databases, and a node over them.
    const [other, databaseUrl] = await Promise.all([openClickHouse(), cluster.places.postgres.place()]);
    const clickhouseUrl = `http://127.0.0.1:${other.port}`;
    const { user, password } = clickHouseLogin;
    const into = (progress: () => void = () => undefined): Promise<number> =>
      restoreIntoNodes({
        backup,
        progress,
        settings: defaultSettings({
          dataDir: `${directory}/ready`,
          clickhouseUrl,
          clickhouseUser: user,
          clickhousePassword: password,
          databaseUrl,
        }),
      });
    const cutShort = (): never => {
      throw new Error('cut short');
    };
    await expect(into(cutShort)).rejects.toThrow('cut short');
    await expect(openSharedDatabase(databaseUrl)).rejects.toThrow(/run millrace restore again/);
    // Leftovers of an earlier attempt.
    await other.run('CREATE TABLE millrace.d3 (a UInt8) ENGINE = MergeTree ORDER BY a');
    expect(await into()).toBe(0);
    await expect(into()).rejects.toThrow(/it is in use/);
    const again = await startServer(`${directory}/node`, {
      MILLRACE_NODES: 'shared',
      MILLRACE_CLICKHOUSE_URL: clickhouseUrl,
      MILLRACE_CLICKHOUSE_USER: user,
      MILLRACE_CLICKHOUSE_PASSWORD: password,
      MILLRACE_DATABASE_URL: databaseUrl,
      MILLRACE_LOG_LEVEL: 'warn',
    });
    try {
      expect(await ids(again, 'kept')).toEqual(there);
      expect(await cell(again, 'kept | where f1 == "x5" | count')).toBe(1);
      expect(await behind(again)).toBe(true);
    } finally {
      await again.kill();
      await other.end();
      removeDirectory(directory);
    }
  });
});
