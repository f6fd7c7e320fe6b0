import type { SettingRecord } from './setting-types.js';

/** Location of the metadata; a part of `settingsTable`. */
export const databaseSettings = {
  databaseUrl: {
    type: 'text',
    default: undefined,
    secret: true,
    pattern: /^postgres(ql)?:\/\/[^/]+\/[^/?]+(\?.*)?$/,
    expected: 'an address such as postgres://user:password@host:5432/millrace?sslmode=verify-full',
    doc: 'PostgreSQL database for the metadata (datasets, tokens, users, monitors, dashboards …) instead of a file in the data directory. Separate several hosts with commas: the one that accepts writes is used. See [scaling.md](scaling.md#metadata-in-postgresql).',
    reason:
      'A file needs no setup and responds in microseconds. The URL contains a password, so use the environment variable.',
  },
} as const satisfies Record<string, SettingRecord>;
