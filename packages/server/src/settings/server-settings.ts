import type { SettingRecord } from './setting-types.js';
import { minute, second } from './setting-units.js';

/** The server as a whole. */
export const serverSettings = {
  dataDir: {
    type: 'text',
    default: './data',
    doc: 'Directory for everything the server stores: log, event data, metadata.',
    reason:
      'The default is easy to see where the server was started. The directory is created if missing, readable by its owner only.',
  },
  adminToken: {
    type: 'text',
    default: undefined,
    secret: true,
    pattern: /^xapt-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    expected: 'xapt- followed by a UUID in lower case',
    doc: 'Personal token of the owner, `xapt-<uuid>`. A value that differs from that of the last start replaces the token.',
    reason:
      'If left out, a token is generated at the first start and printed once; only its hash is stored. Other users of the machine can see a flag while the process starts; the environment they cannot.',
  },
  authFailureStatus: {
    type: 'choice',
    choices: ['403', '401'],
    default: '403',
    doc: 'HTTP status for a missing, malformed, unknown or expired token.',
    reason: 'The interface documents 403; some clients expect 401.',
  },
  autoCreateDatasets: {
    type: 'boolean',
    default: false,
    doc: 'Create a dataset when events arrive for an unknown one, if the token may create datasets. A body without a good event creates none.',
    reason: 'A misspelt name is an error that says so, not a second dataset.',
  },
  logLevel: {
    type: 'choice',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    doc: 'Lowest level of the log lines that are written (JSON, on standard error).',
    reason: '`info` writes one line for each request and one for each noteworthy event.',
  },
  shutdownTimeout: {
    type: 'duration',
    default: 30 * second,
    min: 0,
    max: 60 * minute,
    doc: 'How long running requests, and a running removal of old events, may take to finish after SIGTERM.',
    reason: 'Longer than most queries take, and shorter than service managers wait before they kill.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
