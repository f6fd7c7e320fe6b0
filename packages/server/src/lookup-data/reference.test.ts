import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, openEmbedded } from '@millrace/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadGeoNetworks } from './geo-networks.js';
import { loadModelPrices } from './model-prices.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-reference-'));
const file = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};
let engine: Engine;
beforeAll(async () => {
  engine = await openEmbedded({ directory: join(directory, 'engine'), scratchDirectory: join(directory, 'scratch') });
});
afterAll(async () => {
  await engine.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('networks', () => {
  const header = 'network,country,state,city,latitude,longitude,country_iso,time_zone\n';

  it('are found by address, with degrees as numbers', async () => {
    const path = file(
      'geo.csv',
      `${header}192.0.2.0/24,Sampleland,,"Sample, ton",1.5,-2.5,ZZ,\n2001:db8::/32,,,,,,ZZ,\n`,
    );
    const { database, dictionary } = await loadGeoNetworks(engine, path);
    const look = async (address: string): Promise<unknown> => {
      const sql = `SELECT dictGetOrDefault('${database}.${dictionary}', 'info', toIPv6('${address}'), '{}')`;
      return JSON.parse(Buffer.from((await engine.query(sql, { format: 'TabSeparated' })).body).toString());
    };
    expect(await look('192.0.2.9')).toEqual({
      country: 'Sampleland',
      state: '',
      city: 'Sample, ton',
      latitude: 1.5,
      longitude: -2.5,
      country_iso: 'ZZ',
      time_zone: '',
    });
    expect(await look('2001:db8::1')).toMatchObject({ latitude: '', country_iso: 'ZZ' });
    expect(await look('198.51.100.1')).toEqual({});
  });

  it.each([
    ['a bad network', `${header}nonsense,a,b,c,1,2,d,e\n`],
    ['another table', 'a,b\n1,2\n'],
  ])('%s is rejected with the expected value', async (_, text) =>
    expect(loadGeoNetworks(engine, file('bad.csv', text))).rejects.toThrow(
      /^MILLRACE_GEO_NETWORKS: .*columns network, country/,
    ),
  );

  it('a missing file is named', async () =>
    expect(loadGeoNetworks(engine, join(directory, 'none.csv'))).rejects.toThrow(/none\.csv cannot be read/));
});

describe('prices', () => {
  it('are read by model', async () =>
    expect(await loadModelPrices(file('p.json', '{"m":{"input":2.5,"output":10}}'))).toEqual(
      new Map([['m', { input: 2.5, output: 10 }]]),
    ));

  it.each(['[1]', '{"m":{"input":-1,"output":1}}', '{"m":3}'])('%s is refused', async (text) =>
    expect(loadModelPrices(file('bad.json', text))).rejects.toThrow(/must be an object/),
  );

  it('a file that is no JSON is named', async () =>
    expect(loadModelPrices(file('no.json', '{'))).rejects.toThrow(/no\.json/));
});
