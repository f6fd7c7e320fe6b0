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
    doc: "Syslog listen addresses, separated by commas: `tcp://`, `udp://` or `tls://` with the dataset as path. `?zone=+02:00` is the default zone of times; `allow=10.0.0.0/8`, which may be repeated, limits senders; `format=5424`, `3164` or `raw` sets one format. `tls` uses the server's certificate; `client-ca=FILE` requires client certificates signed by that CA.",
    reason: 'None by default: syslog has no tokens, so any host that reaches the socket can send.',
  },
  maxSyslogConnections: {
    type: 'integer',
    default: 256,
    min: 1,
    max: 65_535,
    doc: 'Maximum connections per syslog listener. At the limit, a connection of the host with the most is closed if the new host has fewer, otherwise the new one.',
    reason: 'Enough for a network of machines; each may buffer one message.',
  },
  maxSyslogMessageBytes: {
    type: 'bytes',
    default: 64 * KiB,
    min: 1 * KiB,
    max: 1024 * KiB,
    doc: 'Maximum syslog message size. Longer messages are truncated and end with `[cut]`.',
    reason: 'The documented API limit; closing the connection, as documented, would lose more.',
  },
  syslogIdleTimeout: {
    type: 'duration',
    default: 15 * minute,
    min: 10 * second,
    max: 24 * 60 * minute,
    doc: 'Idle timeout of syslog connections.',
    reason: 'Devices keep connections open for hours and reconnect if needed.',
  },
  fluentdListeners: {
    type: 'list',
    default: [],
    pattern: { test: (text: string) => listenerAddress(text)?.transport.startsWith('t') === true },
    expected: 'addresses separated by commas, such as tcp://0.0.0.0:24224/logs',
    doc: 'Fluentd forward listen addresses, separated by commas: `tcp://` or `tls://` with the dataset as path; `allow` as for syslog.',
    reason: 'None by default: without a shared key, any host that reaches the socket can send.',
  },
  fluentdSharedKey: {
    type: 'text',
    default: undefined,
    secret: true,
    doc: 'The `shared_key` that forward clients must prove. Without it, clients are not authenticated.',
    reason: 'The protocol has no tokens, only this shared secret.',
  },
  maxFluentdConnections: {
    type: 'integer',
    default: 256,
    min: 1,
    max: 65_535,
    doc: 'Maximum connections per forward listener; the limit works as for syslog.',
    reason: 'Enough for a network of machines; each may buffer one message.',
  },
  maxFluentdMessageBytes: {
    type: 'bytes',
    default: 32 * MiB,
    min: 64 * KiB,
    max: 1024 * MiB,
    doc: 'Maximum forward message size. Unfinished messages of a listener may total twice as much. A longer message closes the connection, and its client keeps the message.',
    reason: 'Fluentd sends chunks of at most 8 MB by default.',
  },
  fluentdIdleTimeout: {
    type: 'duration',
    default: 15 * minute,
    min: 10 * second,
    max: 24 * 60 * minute,
    doc: 'Idle timeout of forward connections.',
    reason: 'Logging libraries keep connections open for hours and reconnect if needed.',
  },
} as const satisfies Record<string, SettingRecord>;
