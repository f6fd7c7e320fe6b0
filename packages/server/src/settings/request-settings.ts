import type { SettingRecord } from './setting-types.js';
import { GiB, KiB, MiB, minute, second } from './setting-units.js';

/** What a request may ask of the server, whatever it is for. */
export const requestSettings = {
  maxConnections: {
    type: 'integer',
    default: 10_000,
    min: 10,
    max: 1_000_000,
    doc: 'Connections at once; fewer if the process may not open so many files. With one more, the oldest is closed on which no request has come yet, or else the new one.',
    reason: 'Each takes a file descriptor, and without one left the server could not even write its log.',
  },
  requestTimeout: {
    type: 'duration',
    default: 5 * minute,
    min: 1 * second,
    max: 60 * minute,
    doc: 'How long a request may take to arrive completely.',
    reason: 'A slow sender with a large body gets through; a connection that never finishes is closed.',
  },
  quietBodyTimeout: {
    type: 'duration',
    default: 10 * second,
    min: 100,
    max: 60 * minute,
    doc: 'How long nothing of the body of a request may come while there is no room for another one; then its place is given away.',
    reason:
      'What has come of a body is held in memory. A slow sender gets through; one that has stopped keeps nobody out.',
  },
  stalledReaderTimeout: {
    type: 'duration',
    default: 60 * second,
    min: 100,
    max: 60 * minute,
    doc: 'How long a client may stop reading a long answer before the connection is closed and the query ends.',
    reason: 'A slow reader gets through; one that has stopped does not hold a result or an export for ever.',
  },
  maxDiscardedBytes: {
    type: 'bytes',
    default: 1 * GiB,
    min: 0,
    max: 1024 * GiB,
    doc: 'How much of the body of a refused request is read and thrown away; a client that sends more is disconnected.',
    reason:
      'Many clients send the whole body before they read the answer; if disconnected, they would not see why they were refused.',
  },
  maxJsonBodyBytes: {
    type: 'bytes',
    default: 4 * MiB,
    min: 1 * KiB,
    max: 64 * MiB,
    doc: 'Largest body of every other request.',
    reason: 'The longest queries and dashboards stay below 1 MiB.',
  },
  maxJsonValues: {
    type: 'integer',
    default: 100_000,
    min: 1000,
    max: 10_000_000,
    doc: 'Most values in the JSON of every other request: elements, members, lists and objects.',
    reason:
      'A hundred times what programs send. JSON is read while others wait, and a body of commas would be millions of values.',
  },
  maxHeaderBytes: {
    type: 'bytes',
    default: 64 * KiB,
    min: 4 * KiB,
    max: 1 * MiB,
    doc: 'Largest request line and headers together.',
    reason: 'Room for event labels and long lists of CSV fields.',
  },
  compressAnswersFrom: {
    type: 'bytes',
    default: 4 * KiB,
    min: 0,
    max: 1 * GiB,
    doc: 'Least length of an answer that is compressed with gzip for a client on another machine that accepts it; longer answers that are streamed are compressed too. 0: none is.',
    reason:
      'Events shrink to about a sixth. A short answer fits into a few packets anyway, and on the same machine sending costs less than compressing.',
  },
  maxUrlBytes: {
    type: 'bytes',
    default: 16 * KiB,
    min: 1 * KiB,
    max: 64 * KiB,
    doc: 'Longest URL.',
    reason: 'Room for field names of every length, percent-encoded.',
  },
  requestsPerMinute: {
    type: 'integer',
    default: 1_000_000,
    min: 1,
    max: 1_000_000_000,
    doc: 'Requests that one token, or one address without a token, may make in a minute; further ones answer 429.',
    reason:
      'As many as a server can take, for fleets that share a token; lower it where tokens are handed to strangers.',
  },
  failedLoginsPerMinute: {
    type: 'integer',
    default: 6000,
    min: 1,
    max: 1_000_000_000,
    doc: 'Requests with a wrong token that one address may make in a minute, where an IPv6 network of 64 bits counts as one; further ones answer 429 and are not audited one by one.',
    reason: 'Tokens cannot be guessed; this keeps strangers from filling the audit log.',
  },
} as const satisfies Readonly<Record<string, SettingRecord>>;
