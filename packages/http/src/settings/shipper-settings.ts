import type { SettingRecord } from './setting-types.js';

/** Settings of the protocols of other products that come over HTTP; a part of `settingsTable`. */
export const shipperSettings = {
  elasticVersion: {
    type: 'text',
    default: '8.12.1',
    pattern: /^\d+\.\d+\.\d+$/,
    expected: 'a version such as 8.12.1',
    doc: 'Elasticsearch version that the server reports to clients.',
    reason:
      'Beats reject servers older than themselves unless `allow_older_versions` is set, and others check the major version; this is the version of the last Beats that accept other servers.',
  },
  vercelSecret: {
    type: 'text',
    default: undefined,
    secret: true,
    doc: 'Signature secret of Vercel drains. With it, requests without a valid signature are rejected.',
    reason: 'Without it, the token authenticates the drain.',
  },
} as const satisfies Record<string, SettingRecord>;
