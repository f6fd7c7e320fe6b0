import { listenerAddress } from './listener-address.js';
import type { SettingRecord } from './setting-types.js';
import { KiB, MiB, minute, second } from './setting-units.js';

/** Settings of the sockets that take messages; a part of `settingsTable`. */
export const socketSettings = {
  syslogListeners: {
    type: 'list',
    default: [],
    pattern: { test: (text: string) => listenerAddress(text) !== undefined },
    expected: 'addresses separated by commas, such as tcp://127.0.0.1:5514/logs or udp://0.0.0.0:5514/logs?zone=+02:00',
    doc: 'Where syslog is taken, as `tcp://`, `udp://` or `tls://` addresses with the dataset as path, separated by commas. `?zone=+02:00` is that of times that name none; `allow=10.0.0.0/8`, perhaps several times, lets only these senders in; `format=5424`, `3164` or `raw` reads messages as nothing else. `tls` uses the certificate of the server, and with `client-ca=FILE` takes only senders whose certificate is signed by one of that file.',
    reason: 'None by default: syslog has no tokens, so whoever reaches the socket can send.',
  },
  maxSyslogConnections: {
    type: 'integer',
    default: 256,
    min: 1,
    max: 65_535,
    doc: 'Most connections of a syslog listener. Further ones are closed, or, if they come from a sender who has fewer, one of whoever has most.',
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
  fluentdListeners: {
    type: 'list',
    default: [],
    pattern: { test: (text: string) => listenerAddress(text)?.transport.startsWith('t') === true },
    expected: 'addresses separated by commas, such as tcp://0.0.0.0:24224/logs',
    doc: 'Where the forward protocol of Fluentd is taken, as `tcp://` or `tls://` addresses with the dataset as path, separated by commas; `allow` as for syslog.',
    reason: 'None by default: without a shared key, whoever reaches the socket can send.',
  },
  fluentdSharedKey: {
    type: 'text',
    default: undefined,
    secret: true,
    doc: 'The `shared_key` that senders of the forward protocol have to prove they know. Without it they need not prove anything.',
    reason: 'The protocol has no tokens; both sides have to know this one secret.',
  },
  maxFluentdConnections: {
    type: 'integer',
    default: 256,
    min: 1,
    max: 65_535,
    doc: 'Most connections of a listener for the forward protocol; what becomes of further ones is as for syslog.',
    reason: 'Enough for a network of machines; each may hold one message in memory.',
  },
  maxFluentdMessageBytes: {
    type: 'bytes',
    default: 32 * MiB,
    min: 64 * KiB,
    max: 1024 * MiB,
    doc: 'Longest message of the forward protocol. All unfinished messages of a listener together may have twice as much. The connection of what is longer is closed, and its sender keeps the message.',
    reason: 'Fluentd sends chunks of 8 MB at most unless it is told otherwise.',
  },
  fluentdIdleTimeout: {
    type: 'duration',
    default: 15 * minute,
    min: 10 * second,
    max: 24 * 60 * minute,
    doc: 'How long a connection of the forward protocol may be silent before it is closed.',
    reason: 'Libraries for loggers keep a connection through hours of quiet, and open it again if need be.',
  },
} as const satisfies Record<string, SettingRecord>;
