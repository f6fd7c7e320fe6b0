import { listenerAddress } from './listener-address.js';
import type { SettingRecord } from './setting-types.js';
import { KiB, minute, second } from './setting-units.js';

/** Settings of the sockets that take syslog; a part of `settingsTable`. */
export const syslogSettings = {
  syslogListeners: {
    type: 'list',
    default: [],
    pattern: { test: (text: string) => listenerAddress(text) !== undefined },
    expected: 'addresses separated by commas, such as tcp://127.0.0.1:5514/logs or udp://0.0.0.0:5514/logs?zone=+02:00',
    doc: 'Where syslog is taken, as `tcp://`, `udp://` or `tls://` addresses with the dataset as path, separated by commas. `zone` is that of times that name none. `tls` uses the certificate of the server.',
    reason: 'None by default: syslog has no tokens, so whoever reaches the socket can send.',
  },
  maxSyslogConnections: {
    type: 'integer',
    default: 256,
    min: 1,
    max: 65_535,
    doc: 'Most connections of a syslog listener; further ones are closed.',
    reason: 'Enough for a network of machines; each may hold one message in memory.',
  },
  maxSyslogMessageBytes: {
    type: 'bytes',
    default: 64 * KiB,
    min: 1 * KiB,
    max: 1024 * KiB,
    doc: 'Longest message of syslog. A longer one is cut, and ends with `[cut]`.',
    reason: 'What the interface documents, where the connection is closed instead, which loses more.',
  },
  syslogIdleTimeout: {
    type: 'duration',
    default: 15 * minute,
    min: 10 * second,
    max: 24 * 60 * minute,
    doc: 'How long a connection of syslog may be silent before it is closed.',
    reason: 'Devices hold connections open for hours of quiet, and open them again if need be.',
  },
} as const satisfies Record<string, SettingRecord>;
