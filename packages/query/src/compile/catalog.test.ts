import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDataset, ensureAuditDataset } from '@millrace/metadata/datasets/lifecycle';
import { withHarness } from '@millrace/storage/testing/fake-harness';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { catalogFor } from './catalog.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-catalogue-'));
let world: EngineTestServer;
beforeAll(async () => {
  const geoNetworks = join(directory, 'geo.csv');
  writeFileSync(
    geoNetworks,
    'network,country,state,city,latitude,longitude,country_iso,time_zone\n192.0.2.0/24,Sampleland,,,1.5,-2.5,ZZ,\n',
  );
  world = await openEngineTestServer({ geoNetworks });
  await world.dataset('logs', [{ ip: '192.0.2.9' }]);
});
afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

it('functions look up in the files that the settings name', async () => {
  const { tables } = await world.apl('logs | project c = tostring(geo_info_from_ip_address(ip).country)');
  expect(tables[0]!.columns).toEqual([['Sampleland']]);
});

it('also those of virtual fields', async () => {
  const expression = 'tostring(geo_info_from_ip_address(ip).country)';
  expect(await world.send('POST', '/v2/vfields', { dataset: 'logs', name: 'c', expression })).toMatchObject({
    status: 200,
  });
  expect((await world.apl('logs | project c')).tables[0]!.columns).toEqual([['Sampleland']]);
});

it('and in views', async () => {
  const aplQuery = 'logs | project c = tostring(geo_info_from_ip_address(ip).country)';
  expect((await world.send('POST', '/v2/views', { name: 'places', aplQuery })).status).toBe(200);
  expect((await world.apl('places')).tables[0]!.columns).toEqual([['Sampleland']]);
});

it('a wildcard omits a dataset whose creation is unfinished', () =>
  withHarness(async ({ metadata, open }) => {
    const storage = await open([]);
    await createDataset({ metadata, data: storage }, { name: 'there', who: 'me' });
    await metadata.datasets.create({ name: 'soon', who: 'me' });
    const { names, dataset, inViews } = await catalogFor({ may: () => true }, { metadata, storage });
    expect([names, inViews?.names, dataset('soon')]).toEqual([['there'], ['there'], undefined]);
  }));

it('the audit log has its usual name for readers with the right', () =>
  withHarness(async ({ metadata, open }) => {
    const storage = await open([]);
    await createDataset({ metadata, data: storage }, { name: 'logs', who: 'me' });
    await ensureAuditDataset({ metadata, data: storage });
    const datasetLookup = async (may: boolean) => (await catalogFor({ may: () => may }, { metadata, storage })).dataset;
    expect((await datasetLookup(true))('axiom-audit')?.name).toBe('millrace-audit');
    const closed = await datasetLookup(false);
    expect(() => closed('axiom-audit')).toThrow(/read/);
    await metadata.datasets.create({ name: 'axiom-audit', who: 'me' });
    expect((await datasetLookup(true))('axiom-audit')?.name).toBe('millrace-audit');
  }));
