import type { SettingRecord } from './setting-types.js';

/** Where the metadata are; a part of `settingsTable`. */
export const databaseSettings = {
  databaseUrl: {
    type: 'text',
    default: undefined,
    secret: true,
    pattern: /^postgres(ql)?:\/\/[^/]+\/[^/?]+(\?.*)?$/,
    expected: 'an address such as postgres://user:password@host:5432/millrace?sslmode=verify-full',
    doc: 'PostgreSQL database for the metadata (datasets, tokens, users, monitors, dashboards …) instead of a file in the data directory. See [cluster.md](cluster.md).',
    reason:
      'A file needs nothing to be set up, and answers in microseconds. The address has a password, so it goes into the environment.',
  },
} as const satisfies Record<string, SettingRecord>;
