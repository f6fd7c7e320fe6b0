import type { SettingRecord } from './setting-types.js';
import { minute, second } from './setting-units.js';

/** General settings of the server. */
export const serverSettings = {
  dataDir: {
    type: 'text',
    default: './data',
    doc: 'Directory for all stored data: log, events, metadata.',
    reason:
      'The default is next to where the server was started. A missing directory is created, readable only by its owner.',
  },
  adminToken: {
    type: 'text',
    default: undefined,
    secret: true,
    pattern: /^xapt-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    expected: 'xapt- followed by a UUID in lower case',
    doc: 'Personal token of the owner, `xapt-<uuid>`. A new value at startup replaces the previous token.',
    reason:
      'Without it, the first start generates a token and prints it once; only its hash is stored. Other users of the machine can read flags at startup, but not the environment.',
  },
  authFailureStatus: {
    type: 'choice',
    choices: ['403', '401'],
    default: '403',
    doc: 'HTTP status for a missing, malformed, unknown or expired token.',
    reason: 'The API documents 403; some clients expect 401.',
  },
  autoCreateDatasets: {
    type: 'boolean',
    default: false,
    doc: 'Create an unknown dataset when events arrive, if the token has permission. A body without a valid event creates none.',
    reason: 'A misspelled name should be an error, not a second dataset.',
  },
  provisionDir: {
    type: 'text',
    default: undefined,
    doc: 'Directory with JSON files in the folders `datasets`, `notifiers`, `monitors` and `dashboards`, which the server creates or changes at startup and when a file changes. It deletes nothing.',
    reason: 'Teams keep them in git; see docs/dashboards.md.',
  },
  provisionInterval: {
    type: 'duration',
    default: 10 * second,
    min: 1 * second,
    max: 60 * minute,
    doc: 'Interval at which changed files in `MILLRACE_PROVISION_DIR` are looked for.',
    reason: 'Directories of containers and network disks do not report changes.',
  },
  selfMetrics: {
    type: 'text',
    default: undefined,
    doc: 'Dataset of kind `otel:metrics:v1` that the server writes its own metrics to, those of `/metrics`; it is created if missing.',
    reason: 'None by default: the values take disk space, and many operators have Prometheus.',
  },
  selfMetricsInterval: {
    type: 'duration',
    default: 15 * second,
    min: 1 * second,
    max: 10 * minute,
    doc: 'Interval at which the server writes its metrics to the dataset of `MILLRACE_SELF_METRICS`.',
    reason: 'A usual scrape interval of Prometheus.',
  },
  logLevel: {
    type: 'choice',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    doc: 'Minimum level of log lines (JSON on standard error).',
    reason: '`info` writes one line per request and per notable event.',
  },
  shutdownTimeout: {
    type: 'duration',
    default: 30 * second,
    min: 0,
    max: 60 * minute,
    doc: 'Grace period after SIGTERM for running requests and retention.',
    reason: 'Longer than most queries, shorter than the kill timeout of service managers.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
