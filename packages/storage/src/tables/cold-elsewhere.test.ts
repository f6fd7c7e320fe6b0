import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, openRemote } from '@millrace/engine';
import { openLog } from '@millrace/log';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { clickHouseLogin, openClickHouse, whyNoClickHouse } from '../../../engine/src/testing/clickhouse.js';
import { openBucket } from '../testing/bucket.js';
import { openTestMetadata } from '@millrace/metadata/testing/metadata-stores';
import { Storage } from '../storage.js';
import { body, dataset, datasetId, encode, limits } from '../testing/harness.js';
import { queryRows } from './query.js';
import { canReadColdParts, hasColdPolicy } from '../cold/cold-partitions.js';

const day = 86_400_000;

/** The configuration in the page about tiered storage, with another bucket. */
const configuration = (bucket: string, volume = 'cold'): string => `
  <storage_configuration>
    <disks>
      <millrace_cold>
        <type>s3</type>
        <endpoint>${bucket}/</endpoint>
        <access_key_id>not-looked-at</access_key_id>
        <secret_access_key>not-looked-at</secret_access_key>
        <skip_access_check>1</skip_access_check>
        <connect_timeout_ms>2000</connect_timeout_ms>
        <request_timeout_ms>30000</request_timeout_ms>
        <retry_attempts>2</retry_attempts>
        <s3_retry_attempts>2</s3_retry_attempts>
      </millrace_cold>
    </disks>
    <policies>
      <millrace_cold>
        <volumes>
          <default><disk>default</disk></default>
          <${volume}><disk>millrace_cold</disk></${volume}>
        </volumes>
        <move_factor>0</move_factor>
      </millrace_cold>
    </policies>
  </storage_configuration>`;

const remote = (port: number): Promise<Engine> =>
  openRemote({
    url: `http://127.0.0.1:${port}`,
    ...clickHouseLogin,
    database: 'millrace',
    owner: { id: 'cold-elsewhere', known: false },
  });

describe.skipIf((await whyNoClickHouse()) !== undefined)('old events of a ClickHouse server', () => {
  test('move to the disk that its storage policy names, and are queried and deleted as before', async () => {
    const bucket = await openBucket();
    const server = await openClickHouse({ configuration: configuration(bucket.url) });
    const directory = mkdtempSync(join(tmpdir(), 'millrace-cold-'));
    const metadata = await openTestMetadata();
    const log = await openLog({ directory });
    const engine = await remote(server.port);
    expect(await hasColdPolicy(engine)).toBe(true);
    const moved: string[] = [];
    const { storage } = await Storage.open({
      engine,
      log,
      database: metadata.database,
      logger: pino({ level: 'silent' }),
      limits,
      retentionClock: () => Date.UTC(2026, 0, 20),
      // Days before the 3rd.
      cold: { after: 17 * day, every: 100, rest: 0, isResponding: async () => true },
      moved: (outcome) => void moved.push(outcome),
      datasets: [],
    });
    try {
      await storage.createDataset(dataset);
      const stored = storage.dataset(datasetId)!;
      await storage.intake.append(stored, encode(stored, body(300)), { arrival: 1_767_225_600_000_000_000n });
      await storage.flush([datasetId]);
      const places = () =>
        queryRows<[string, string, number]>(
          engine,
          "SELECT partition_id, disk_name, toInt32(sum(rows)) FROM system.parts WHERE active AND table = 'd1' GROUP BY 1, 2 ORDER BY 1, 2",
        );
      await expect.poll(places, { timeout: 20_000 }).toEqual([
        ['20260101', 'millrace_cold', 100],
        ['20260102', 'millrace_cold', 100],
        ['20260103', 'default', 100],
      ]);
      expect(new Set(moved)).toEqual(new Set(['moved']));
      expect(bucket.keys().length).toBeGreaterThan(0);
      await expect.poll(() => storage.coldBytes).toBeGreaterThan(0);
      const count = () => queryRows<[number]>(engine, 'SELECT toInt32(count()) FROM millrace.d1');
      expect(await count()).toEqual([[300]]);
      expect(await canReadColdParts(engine)).toBe(true);
      await bucket.stop();
      expect(await canReadColdParts(engine)).toBe(false);
      await bucket.start();
      expect(await canReadColdParts(engine)).toBe(true);
      // The first day, on any disk.
      expect(await storage.deletions.trim(dataset, BigInt(Date.UTC(2026, 0, 2)) * 1_000_000n)).toBe(100);
      expect(await count()).toEqual([[200]]);
    } finally {
      await storage.close();
      await engine.close();
      await log.close();
      await metadata.close();
      await server.end();
      await bucket.end();
      rmSync(directory, { recursive: true, force: true });
    }
  }, 90_000);

  test('stay where they are without such a policy, or with one that says something else', async () => {
    for (const configured of ['', configuration('http://127.0.0.1:1/bucket', 'slow')]) {
      const server = await openClickHouse({ configuration: configured });
      const engine = await remote(server.port);
      expect(await hasColdPolicy(engine)).toBe(false);
      await engine.close();
      await server.end();
    }
  }, 90_000);
});
