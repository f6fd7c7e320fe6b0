/**
 * Two requests from a web server's log, in every form in which a client can send them, with the
 * sizes that the server must report.
 */

const agent = 'Debian APT-HTTP/1.3 (0.8.16~exp12ubuntu10.21)';

const requestAt = (second: number) => ({
  agent,
  bytes: 0,
  referrer: '-',
  remote_ip: `93.180.71.${1 + (second % 2)}`,
  remote_user: '-',
  request: 'GET /downloads/product_1 HTTP/1.1',
  response: 304,
  time: `17/May/2015:08:05:${second} +0000`,
});

const requests = [requestAt(30), requestAt(31)] as const;

export const columns = [
  'time',
  'remote_ip',
  'remote_user',
  'request',
  'response',
  'bytes',
  'referrer',
  'agent',
] as const;

export const array = JSON.stringify(requests, undefined, 2);
export const ndjson = requests.map((request) => `${JSON.stringify(request)}\n`).join('');

/**
 * The closing bracket of the user agent is missing and the second line is indented, as in real log
 * files.
 */
const line = (request: (typeof requests)[number]): string =>
  columns
    .map((column) => request[column])
    .join(',')
    .slice(0, -1);
export const csvWithoutHeader = `${line(requests[0])}\n\t\t${line(requests[1])})`;
export const csv = `${columns.join(',')}\n\t\t${csvWithoutHeader}`;
