import type { SettingRecord } from './setting-types.js';
import { GiB, MiB, minute } from './setting-units.js';

const day = 24 * 60 * minute;

/** Settings of tiered storage; a part of `settingsTable`. */
export const coldSettings = {
  coldUrl: {
    type: 'text',
    default: undefined,
    pattern: /^https?:\/\/[^/?#@]+\/[^?#]+$/,
    expected: 'the address of a bucket, such as https://s3.eu-central-1.amazonaws.com/bucket/millrace/',
    doc: 'S3 bucket, optionally with a folder, for events older than `MILLRACE_COLD_AFTER`. See [scaling.md](scaling.md#old-events-in-s3).',
    reason: 'One disk is simplest. A directory that has used a bucket always needs it.',
  },
  coldAccessKey: {
    type: 'text',
    default: undefined,
    secret: true,
    doc: "Access key of the bucket; defaults to the environment or the machine's role (`AWS_ACCESS_KEY_ID`).",
    reason: 'Use the environment variable, because all users of the machine can read flags.',
  },
  coldSecretKey: {
    type: 'text',
    default: undefined,
    secret: true,
    doc: 'Secret of that key.',
    reason: 'As for the key.',
  },
  coldAfter: {
    type: 'duration',
    default: 30 * day,
    min: day,
    max: 10_000 * day,
    doc: 'Age at which a partition (day, month or year) moves to object storage.',
    reason: 'Most queries cover recent days; older ones may take longer.',
  },
  coldInClickhouse: {
    type: 'boolean',
    default: false,
    doc: 'Move old events to the volume `cold` of the storage policy `millrace_cold` of the ClickHouse server. See [scaling.md](scaling.md#in-a-clickhouse-server).',
    reason: "The server's disks belong to its operator, so Millrace needs permission to use them.",
  },
  coldCacheBytes: {
    type: 'bytes',
    default: 10 * GiB,
    min: 64 * MiB,
    max: 1024 * GiB,
    doc: 'Maximum size of the local cache of the bucket.',
    reason:
      'Recently read data is often read again. Three tenths are for small part files that the engine needs at startup.',
  },
} as const satisfies Record<string, SettingRecord>;

type Name = keyof typeof coldSettings | 'clickhouseUrl';

/** Problems of the settings for tiered storage in a ClickHouse server. */
function elsewhereProblems(isGiven: (name: Name) => boolean, replicas: boolean): ReturnType<typeof coldProblems> {
  if (!isGiven('coldInClickhouse')) return [];
  if (!isGiven('clickhouseUrl'))
    return [['coldInClickhouse', 'needs a ClickHouse server; for the embedded engine give the address of a bucket']];
  return replicas ? [['coldInClickhouse', 'is for one ClickHouse server, not for replicas']] : [];
}

/**
 * Problems of these settings in combination, each with the setting to fix.
 * @param isGiven whether the operator set a setting
 * @param replicas whether there are several ClickHouse servers
 */
export function coldProblems(
  isGiven: (name: Name) => boolean,
  replicas: boolean,
): readonly (readonly [Name, string])[] {
  const elsewhere = elsewhereProblems(isGiven, replicas);
  if (elsewhere.length > 0) return elsewhere;
  if (!isGiven('coldUrl'))
    return (['coldAccessKey', 'coldSecretKey'] as const)
      .filter(isGiven)
      .map((name) => [name, 'has no effect without the address of a bucket'] as const);
  if (isGiven('clickhouseUrl'))
    return [
      [
        'coldUrl',
        'is for the embedded engine; a ClickHouse server has its own disks: give it a storage policy and set MILLRACE_COLD_IN_CLICKHOUSE',
      ],
    ];
  return isGiven('coldAccessKey') === isGiven('coldSecretKey')
    ? []
    : [['coldUrl', 'needs both the access key and its secret, or neither']];
}
