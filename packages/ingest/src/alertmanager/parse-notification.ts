import { httpError } from '@millrace/api/errors';
import { JsonScan } from '../bytes/json-scan.js';
import type { EventLines } from '../event-lines.js';
import { writeObject } from '../formats/object-lists.js';

/** Properties of a notification that each of its alerts gets. */
const sharedProperties = ['receiver', 'groupKey', 'externalURL', 'truncatedAlerts'];
/** The end of an alert that has not ended. */
const zeroTime = '"0001-01-01T00:00:00Z"';

interface Span {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads notifications: each alert becomes an event, with the receiver and the group of its
 * notification. Labels that alerts share are in each of them, so the common ones are left out.
 * @throws HttpError `invalid-events` if the body is not notifications
 */
export function readNotifications(body: Uint8Array, lines: EventLines): void {
  const scan = new JsonScan(body);
  for (let at = scan.behindSpace(0); at < scan.end;) {
    const members: Span[] = [];
    const end = scan.isObject(at)
      ? scan.members(
          at,
          (nameStart, nameEnd, from, to) => void members.push({ nameStart, nameEnd, start: from, end: to }),
        )
      : -1;
    const alerts = members.find(({ nameStart, nameEnd }) => scan.is('alerts', nameStart, nameEnd));
    if (end < 0 || alerts === undefined || !scan.isList(alerts.start)) throw notANotification(at);
    const common = members.filter(({ nameStart, nameEnd }) =>
      sharedProperties.some((name) => scan.is(name, nameStart, nameEnd)),
    );
    if (scan.elements(alerts.start, (start) => writeAlert(scan, start, common, lines)) < 0) throw notANotification(at);
    at = scan.behindSpace(end);
  }
}

const notANotification = (at: number) =>
  httpError('invalid-events', { problem: `byte ${at}: this is not a notification of Alertmanager with its alerts` });

function writeAlert(scan: JsonScan, start: number, common: readonly Span[], lines: EventLines): void {
  if (!scan.isObject(start)) return lines.fail(start, `byte ${start}: expected an alert, which is an object`);
  writeObject(scan, start, lines, {
    what: 'alert',
    write: (nameStart, nameEnd, from, to) => scan.is('endsAt', nameStart, nameEnd) && scan.is(zeroTime, from, to),
    before() {
      for (const { nameStart, nameEnd, start, end } of common)
        if (!scan.is('0', start, end)) lines.member(scan.bytes, nameStart, nameEnd, start, end);
    },
  });
}
