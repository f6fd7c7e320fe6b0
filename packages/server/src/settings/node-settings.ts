import type { SettingRecord } from './setting-types.js';
import { minute, second } from './setting-units.js';

/** Several processes over the same events; a part of `settingsTable`. */
export const nodeSettings = {
  nodes: {
    type: 'choice',
    choices: ['alone', 'shared'],
    default: 'alone',
    doc: '`shared` lets several processes share one ClickHouse and one PostgreSQL database, each with this setting and the same two addresses; none has anything of value in its data directory. See [cluster.md](cluster.md).',
    reason:
      'Alone, events are acknowledged in ten milliseconds, and ClickHouse may be away for a while. Two processes never come over one database by accident: each database says which of the two it is for.',
  },
  acceptTimeout: {
    type: 'duration',
    default: 10 * second,
    min: 1 * second,
    max: 5 * minute,
    doc: 'With `shared`: how long a request waits until the engine has its events; then it is answered 503.',
    reason:
      'An insert takes a tenth of a second; a ClickHouse server that starts again some seconds. Exporters give up after ten seconds or more, and then send the events again.',
  },
  groupTime: {
    type: 'duration',
    default: 0,
    min: 0,
    max: 1 * second,
    doc: 'With `shared`: how long the first event of a dataset waits for others that go into ClickHouse with the same insert.',
    reason:
      'Whatever comes while an insert is under way goes in with the next one, which is enough for most. Many small datasets make many small parts; waiting makes them fewer, and each acknowledgement later.',
  },
} as const satisfies Record<string, SettingRecord>;

type Needed = 'clickhouseUrl' | 'databaseUrl';

/**
 * What is wrong with the settings of several processes, each with the setting it is about.
 * @param isGiven whether the operator gave a setting
 */
export function nodeProblems(
  nodes: 'alone' | 'shared',
  isGiven: (name: Needed) => boolean,
): readonly (readonly ['nodes', string])[] {
  if (nodes === 'alone') return [];
  const missing = (['clickhouseUrl', 'databaseUrl'] as const).filter((name) => !isGiven(name));
  return missing.length === 0
    ? []
    : [['nodes', 'several nodes need the addresses of ClickHouse and of PostgreSQL; give both']];
}
