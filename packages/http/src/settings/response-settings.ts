import { isHost } from './network.js';
import type { SettingRecord } from './setting-types.js';
import { GiB, MiB } from './setting-units.js';

/** Limits of queries and of the result cache. */
export const answerSettings = {
  maxConcurrentQueries: {
    type: 'integer',
    default: 10,
    min: 1,
    max: 10_000,
    doc: 'Maximum queued and running queries per token. Excess queries get 429, but those of a batch are queued.',
    reason: 'One client cannot block others.',
  },
  resultCacheBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 0,
    max: 64 * GiB,
    doc: 'Memory for cached results, valid while their data is unchanged; 0 disables the cache.',
    reason: 'Dashboards repeat queries several times per minute, and their results are small.',
  },
  queryHistory: {
    type: 'integer',
    default: 100,
    min: 0,
    max: 10_000,
    doc: 'Stored queries per token that requests it with `saveAsKind`; fewer if they exceed 1 MiB.',
    reason: "Enough to find yesterday's query; some clients request it with every query.",
  },
  queryHistoryBytes: {
    type: 'bytes',
    default: 64 * MiB,
    min: 1 * MiB,
    max: 4 * GiB,
    doc: 'Maximum total size of stored queries; beyond it, the token with the most loses its oldest.',
    reason: 'They are in memory, and users who can create tokens could otherwise exhaust it.',
  },
  modelPrices: {
    type: 'text',
    default: undefined,
    doc: 'JSON file with prices of language models, `{"model": {"input": 2.5, "output": 10}}`, in US dollars per million tokens.',
    reason: 'Prices change and depend on contracts; without the file, functions that need them return an error.',
  },
  geoNetworks: {
    type: 'text',
    default: undefined,
    doc: 'CSV file with the locations of networks. Its header names the columns: network, country, state, city, latitude, longitude, country_iso, time_zone.',
    reason: 'Such data has separate licenses; without the file, `geo_info_from_ip_address` returns an error.',
  },
  maxDataColumns: {
    type: 'integer',
    default: 500,
    min: 1,
    max: 10_000,
    doc: 'Maximum columns that `evaluate pivot` and `evaluate bag_unpack` create from data; exceeding it is an error.',
    reason: 'Wider tables are unreadable, and every pivot column is an aggregate.',
  },
  externalDataHosts: {
    type: 'list',
    default: [],
    pattern: { test: isHost },
    expected: 'hosts without scheme or path separated by commas, such as data.example.com,127.0.0.1:8080',
    doc: 'Hosts that `externaldata` may read from, separated by commas, such as `data.example.com,127.0.0.1:8080`. A host without a port allows all ports.',
    reason: 'None by default: queries must not reach addresses that their authors cannot.',
  },
  maxExternalDataBytes: {
    type: 'bytes',
    default: 5 * 1024 * 1024,
    min: 1024,
    max: 12 * 1024 * 1024,
    doc: 'Maximum total size of files that a query reads with `externaldata`; exceeding it is an error.',
    reason:
      'Matches other products. Loading this much blocks the server for 0.5 to 2 s, and the files are part of an engine statement of limited size.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
