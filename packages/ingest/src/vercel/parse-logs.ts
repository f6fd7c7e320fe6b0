import { httpError } from '@millrace/api/errors';
import { JsonScan } from '../bytes/json-scan.js';
import { type EventLines, member } from '../event-lines.js';

/**
 * Names of log properties, and of those in `proxy`, as Axiom's app for Vercel uses them in its
 * dashboards.
 */
const ofLog: Readonly<Record<string, string>> = {
  id: 'vercel.id',
  source: 'vercel.source',
  projectId: 'vercel.projectId',
  projectName: 'vercel.projectName',
  deploymentId: 'vercel.deploymentId',
  buildId: 'vercel.buildId',
  entrypoint: 'vercel.route',
  executionRegion: 'vercel.region',
  environment: 'vercel.environment',
  branch: 'vercel.branch',
  requestId: 'request.id',
  statusCode: 'request.statusCode',
  host: 'request.host',
  path: 'request.path',
};
const ofProxy: Readonly<Record<string, string>> = {
  method: 'request.method',
  path: 'request.path',
  host: 'request.host',
  scheme: 'request.scheme',
  statusCode: 'request.statusCode',
  clientIp: 'request.ip',
  userAgent: 'request.userAgent',
  referer: 'request.referer',
  region: 'vercel.region',
};

const membersOf = (names: Readonly<Record<string, string>>): ReadonlyMap<string, Buffer> =>
  new Map(Object.entries(names).map(([from, to]) => [from, member(to)]));
const logMembers = membersOf(ofLog);
const proxyMembers = membersOf(ofProxy);
const timestamp = member('timestamp');

/**
 * Converts logs, in a list or in lines, to events with the field names of Axiom's app. Other
 * properties keep their names.
 * @throws HttpError `invalid-events` if the body is neither; malformed logs fail individually
 */
export function readLogs(body: Uint8Array, lines: EventLines): void {
  const scan = new JsonScan(body);
  const root = scan.behindSpace(0);
  if (scan.isList(root)) {
    if (scan.elements(root, (start) => void readLog(scan, start, lines)) < 0)
      lines.fail(root, 'the list of logs is damaged; entries after the last intact one were not read');
    return;
  }
  if (root < scan.end && !scan.isObject(root))
    throw httpError('invalid-events', { problem: 'the body is neither a list of logs nor a log' });
  for (let at = root; at < scan.end; at = scan.behindSpace(at)) {
    const end = readLog(scan.within(at), at, lines);
    at = end < 0 ? scan.nextLine(at) : end;
  }
}

/** @returns the position after the log; −1 if it is malformed */
function readLog(scan: JsonScan, start: number, lines: EventLines): number {
  lines.begin();
  const copy =
    (members: ReadonlyMap<string, Buffer>) => (nameStart: number, nameEnd: number, from: number, to: number) => {
      const name = scan.bytes.toString('latin1', nameStart, nameEnd);
      const known = members.get(name);
      if (known !== undefined) lines.json(known, scan.bytes, from, to);
      else if (members === proxyMembers) lines.json(member(`proxy.${name}`), scan.bytes, from, to);
      else if (name === 'timestamp') lines.time(timestamp, scan.bytes, from, to);
      else if (name === 'proxy' && scan.isObject(from)) scan.members(from, copy(proxyMembers));
      else lines.member(scan.bytes, nameStart, nameEnd, from, to);
    };
  const end = scan.isObject(start) ? scan.members(start, copy(logMembers)) : -1;
  if (end >= 0) lines.end();
  else {
    lines.takeBack();
    lines.fail(start, `byte ${start}: the log is not valid JSON`);
  }
  return end;
}
