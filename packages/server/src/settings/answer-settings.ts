import { isHost } from './network.js';
import type { SettingRecord } from './setting-types.js';
import { GiB, MiB } from './setting-units.js';

/** What queries may look up, and what is kept of them. */
export const answerSettings = {
  maxConcurrentQueries: {
    type: 'integer',
    default: 10,
    min: 1,
    max: 10_000,
    doc: 'Queries one token may have waiting or running at once; a further one answers 429, but those of a batch wait.',
    reason: 'One client cannot keep the others waiting.',
  },
  resultCacheBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 0,
    max: 64 * GiB,
    doc: 'Memory for results of queries that are asked again while their data has not changed; 0 keeps none.',
    reason: 'Dashboards ask the same queries a few times a minute, and their results are small.',
  },
  queryHistory: {
    type: 'integer',
    default: 100,
    min: 0,
    max: 10_000,
    doc: 'Queries remembered for each token that asks for it with `saveAsKind`; fewer if they take more than 1 MiB together.',
    reason: 'Enough to find a query of yesterday; some clients ask for it with every query.',
  },
  queryHistoryBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 1 * MiB,
    max: 4 * GiB,
    doc: 'What the remembered queries of all tokens may take together; beyond it, the token with most forgets its oldest.',
    reason: 'They are in memory. Whoever may make tokens could fill any memory otherwise, a token at a time.',
  },
  modelPrices: {
    type: 'text',
    default: undefined,
    doc: 'JSON file with prices of language models, `{"model": {"input": 2.5, "output": 10}}`, in US dollars for a million tokens.',
    reason: 'Prices change and differ by contract; without the file the functions that need them are refused.',
  },
  geoNetworks: {
    type: 'text',
    default: undefined,
    doc: 'CSV file with the places of networks. Its header line names the columns: network, country, state, city, latitude, longitude, country_iso, time_zone.',
    reason: 'Such data has licences of its own; without the file `geo_info_from_ip_address` is refused.',
  },
  maxDataColumns: {
    type: 'integer',
    default: 500,
    min: 1,
    max: 10_000,
    doc: 'Most columns that `evaluate pivot` and `evaluate bag_unpack` may make from the data; more is an error.',
    reason: 'Nobody reads wider tables, and every column of a pivot is an aggregate of its own.',
  },
  externalDataHosts: {
    type: 'list',
    default: [],
    pattern: { test: isHost },
    expected: 'hosts without scheme or path separated by commas, such as data.example.com,127.0.0.1:8080',
    doc: 'Hosts `externaldata` may read files from, separated by commas, such as `data.example.com,127.0.0.1:8080`; one without a port stands for all of its ports.',
    reason: 'None by default: a query must not make the server call addresses its author could not reach.',
  },
  maxExternalDataBytes: {
    type: 'bytes',
    default: 5 * 1024 * 1024,
    min: 1024,
    max: 12 * 1024 * 1024,
    doc: 'Most bytes of all files that a query reads with `externaldata`; more is an error.',
    reason:
      'As much as elsewhere. Taking in that much keeps the server from everything else for half a second to two, and a statement for the engine, of which the files are a part, cannot be much longer than the maximum.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
