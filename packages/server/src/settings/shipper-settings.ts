import type { SettingRecord } from './setting-types.js';

/** Settings of the protocols of other products that come over HTTP; a part of `settingsTable`. */
export const shipperSettings = {
  elasticVersion: {
    type: 'text',
    default: '8.12.1',
    pattern: /^\d+\.\d+\.\d+$/,
    expected: 'a version such as 8.12.1',
    doc: 'The version of Elasticsearch that programs are told the server is.',
    reason:
      'Beats send to no server older than themselves unless `allow_older_versions` is set, and others go by the first number; the Beats that still speak to servers of other makers are of this version.',
  },
  vercelSecret: {
    type: 'text',
    default: undefined,
    secret: true,
    doc: 'The secret with which Vercel signs what its drains send. With it, a request without the right signature is refused.',
    reason: 'Without it the token of the drain says who sends, as everywhere else.',
  },
} as const satisfies Record<string, SettingRecord>;
