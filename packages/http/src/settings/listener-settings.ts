import { isNetwork } from './network.js';
import type { SettingRecord } from './setting-types.js';

/** Listening address, TLS, trusted proxies and CORS. */
export const listeningSettings = {
  host: {
    type: 'text',
    default: '127.0.0.1',
    doc: 'Listen address. Defaults to loopback; use 0.0.0.0 for all interfaces.',
    reason: 'Remote access is an explicit decision.',
  },
  port: {
    type: 'integer',
    default: 8080,
    min: 0,
    max: 65_535,
    doc: 'Listen port; 0 picks a free one and prints it.',
    reason: 'Needs no privileges.',
  },
  tlsCert: {
    type: 'text',
    default: undefined,
    doc: 'PEM file with the certificate chain. Enables HTTPS and disables HTTP.',
    reason: 'Without a certificate, use a reverse proxy for TLS.',
  },
  tlsKey: {
    type: 'text',
    default: undefined,
    doc: 'PEM file with the private key of `tls-cert`.',
    reason: 'TLS needs both files.',
  },
  trustedProxies: {
    type: 'list',
    default: [],
    pattern: { test: isNetwork },
    expected: 'addresses or networks separated by commas, such as 127.0.0.1,10.0.0.0/8',
    doc: 'Addresses or CIDR ranges of reverse proxies whose `X-Forwarded-For` is trusted, separated by commas.',
    reason:
      'None by default: otherwise clients could forge their address in the audit log and evade per-address limits.',
  },
  corsOrigins: {
    type: 'list',
    default: [],
    pattern: /^(\*|[a-z][a-z\d+.-]*:\/\/[^/\s]+)$/i,
    expected: 'origins without a path separated by commas, such as https://app.example:8443, or *',
    doc: 'Origins whose pages may call the server from a browser, separated by commas; `*` allows all.',
    reason: 'None by default, so that other origins cannot use a leaked token.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
