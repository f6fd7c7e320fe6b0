import type { ReferenceData } from '../model/reference-data.js';

/** Only for tests and examples: data for lookup functions. */
export const sampleReference: ReferenceData = {
  modelPrices: new Map([
    ['sample-large', { input: 2.5, output: 10 }],
    ['sample-free', { input: 0, output: 0 }],
  ]),
  geoNetworks: { database: 'default', dictionary: 'sample_geo_networks' },
};

const place = (known: Readonly<Record<string, string | number>>): string =>
  JSON.stringify({
    country: '',
    state: '',
    city: '',
    latitude: '',
    longitude: '',
    country_iso: '',
    time_zone: '',
    ...known,
  });

const networks = [
  [
    '192.0.2.0/24',
    place({ country: 'Sampleland', city: 'Sampleton', latitude: 1.5, longitude: -2.5, country_iso: 'ZZ' }),
  ],
  ['2001:db8::/32', place({ country: 'Sampleland', country_iso: 'ZZ' })],
];

/** Statements that make the dictionary of `sampleReference`. */
export const sampleGeoNetworks: readonly string[] = [
  'CREATE TABLE default.sample_geo_source (network String, info String) ENGINE = MergeTree ORDER BY network',
  `INSERT INTO default.sample_geo_source VALUES ${networks.map(([network, info]) => `('${network}', '${info}')`).join(', ')}`,
  `CREATE DICTIONARY default.sample_geo_networks (network String, info String) PRIMARY KEY network
   SOURCE(CLICKHOUSE(DB 'default' TABLE 'sample_geo_source')) LAYOUT(IP_TRIE) LIFETIME(0)`,
];
