import type { SettingRecord } from './setting-types.js';
import { GiB, MiB, minute } from './setting-units.js';

const day = 24 * 60 * minute;

/** Settings of events that are kept in a bucket; a part of `settingsTable`. */
export const coldSettings = {
  coldUrl: {
    type: 'text',
    default: undefined,
    pattern: /^https?:\/\/[^/?#@]+\/[^?#]+$/,
    expected: 'the address of a bucket, such as https://s3.eu-central-1.amazonaws.com/bucket/millrace/',
    doc: 'Bucket of an S3 storage for events older than `MILLRACE_COLD_AFTER`, with a folder in it if you like. See [cold.md](cold.md).',
    reason: 'Everything on one disk is simplest. A directory that has begun with a bucket needs it from then on.',
  },
  coldAccessKey: {
    type: 'text',
    default: undefined,
    secret: true,
    doc: 'Access key of the bucket; left out, what the environment or the machine gives (`AWS_ACCESS_KEY_ID`, a role).',
    reason: 'Goes into the environment, because everybody on the machine can see the flags.',
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
    doc: 'How old a whole day, month or year of events has to be before it moves to the bucket.',
    reason: 'Most questions are about the last days; those about last month may take longer.',
  },
  coldInClickhouse: {
    type: 'boolean',
    default: false,
    doc: 'Old events move to the volume `cold` of the storage policy `millrace_cold` of the ClickHouse server. See [cold.md](cold.md#in-a-clickhouse-server).',
    reason: "The disks of that server are its operator's: Millrace needs to be told that it may use them.",
  },
  coldCacheBytes: {
    type: 'bytes',
    default: 10 * GiB,
    min: 64 * MiB,
    max: 1024 * GiB,
    doc: 'How much of what is in the bucket may lie on the local disk as well.',
    reason:
      'What was read once is read again soon. Three tenths are for the small files of which the engine needs some for each part when it starts.',
  },
} as const satisfies Record<string, SettingRecord>;

type Name = keyof typeof coldSettings | 'clickhouseUrl';

/** What is wrong with old events in a ClickHouse server. */
function elsewhereProblems(isGiven: (name: Name) => boolean, replicas: boolean): ReturnType<typeof coldProblems> {
  if (!isGiven('coldInClickhouse')) return [];
  if (!isGiven('clickhouseUrl'))
    return [['coldInClickhouse', 'needs a ClickHouse server; for the embedded engine give the address of a bucket']];
  return replicas ? [['coldInClickhouse', 'is for one ClickHouse server, not for replicas']] : [];
}

/**
 * What is wrong with these settings together, each with the setting it is about.
 * @param isGiven whether the operator gave a setting
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
        'is for the embedded engine; a ClickHouse server has disks of its own: give it a storage policy, and set MILLRACE_COLD_IN_CLICKHOUSE',
      ],
    ];
  return isGiven('coldAccessKey') === isGiven('coldSecretKey')
    ? []
    : [['coldUrl', 'needs both the access key and its secret, or neither']];
}
