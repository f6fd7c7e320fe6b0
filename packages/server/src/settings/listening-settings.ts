import { isNetwork } from './network.js';
import type { SettingRecord } from './setting-types.js';

/** Where the server listens, and who may be in front of it. */
export const listeningSettings = {
  host: {
    type: 'text',
    default: '127.0.0.1',
    doc: 'Address to listen on.',
    reason: 'Nobody else can reach a server before its operator decides so; 0.0.0.0 listens everywhere.',
  },
  port: {
    type: 'integer',
    default: 8080,
    min: 0,
    max: 65_535,
    doc: 'Port to listen on; 0 takes any free one, which is printed.',
    reason: 'Needs no privileges.',
  },
  tlsCert: {
    type: 'text',
    default: undefined,
    doc: 'PEM file with the certificate chain; with it the server speaks HTTPS only.',
    reason: 'TLS needs a certificate; without one put a proxy in front.',
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
    doc: 'Proxies in front of the server, as addresses or networks separated by commas: what they say in `X-Forwarded-For` counts as the address of a client.',
    reason:
      'None by default: otherwise any client could claim any address, in the audit log and to evade the limits for each address.',
  },
  corsOrigins: {
    type: 'list',
    default: [],
    pattern: /^(\*|[a-z][a-z\d+.-]*:\/\/[^/\s]+)$/i,
    expected: 'origins without a path separated by commas, such as https://app.example:8443, or *',
    doc: 'Origins whose pages may call the server from a browser, separated by commas; `*` for all.',
    reason: 'None by default, so that no page of another origin can use a token it got hold of.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
