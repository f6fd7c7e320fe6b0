import type { SettingRecord } from './setting-types.js';
import { minute, second } from './setting-units.js';

/** Several processes over the same events; a part of `settingsTable`. */
export const nodeSettings = {
  nodes: {
    type: 'choice',
    choices: ['alone', 'shared'],
    default: 'alone',
    doc: '`alone`: single node. `shared`: several nodes share one ClickHouse and one PostgreSQL database, each with this setting and the same addresses; their data directories hold nothing of value. See [scaling.md](scaling.md#several-nodes).',
    reason:
      'A single node acknowledges events in ten milliseconds and tolerates ClickHouse outages. Each database records its mode, so a mix-up is rejected.',
  },
  acceptTimeout: {
    type: 'duration',
    default: 10 * second,
    min: 1 * second,
    max: 5 * minute,
    doc: 'With `shared`: timeout for an acknowledged insert; then the request gets 503.',
    reason:
      'An insert takes 0.1 s, a ClickHouse restart some seconds. Exporters time out after 10 s or more and retry.',
  },
  groupTime: {
    type: 'duration',
    default: 0,
    min: 0,
    max: 1 * second,
    doc: 'With `shared`: maximum batching delay per dataset (group commit).',
    reason:
      'Events that arrive during an insert join the next one, which usually suffices. For many small datasets, a delay reduces small parts but delays acknowledgements.',
  },
} as const satisfies Record<string, SettingRecord>;

type RequiredSetting = 'clickhouseUrl' | 'databaseUrl';

/**
 * Problems of the settings for several nodes, each with the setting to fix.
 * @param isGiven whether the operator set a setting
 */
export function nodeProblems(
  nodes: 'alone' | 'shared',
  isGiven: (name: RequiredSetting) => boolean,
): readonly (readonly ['nodes', string])[] {
  if (nodes === 'alone') return [];
  const missing = (['clickhouseUrl', 'databaseUrl'] as const).filter((name) => !isGiven(name));
  return missing.length === 0
    ? []
    : [['nodes', 'several nodes need the addresses of ClickHouse and of PostgreSQL; give both']];
}
