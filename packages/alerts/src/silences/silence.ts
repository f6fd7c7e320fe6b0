import { httpError } from '@millrace/api/errors';
import type { ShownSilence, Silence, WriteSilence } from '@millrace/api/schemas/silence';
import { CronError, parseCron } from './cron.js';
import { activeUntil, nextStart } from './schedule.js';

/** Converts a silence between its API form and its stored form. */

/** A silence without ID and audit fields. */
type SilenceDraft = Omit<Silence, 'id' | 'createdAt' | 'createdBy' | 'updatedAt'>;

/**
 * Checks a request.
 * @param now default start
 * @throws HttpError `invalid-request`
 */
export function silenceDraft(body: WriteSilence, now: string): SilenceDraft {
  const { reason, startTime = now, endTime, repeat } = body;
  const labels = body.labels ?? {};
  const groups = body.groups ?? {};
  const monitorIds = body.monitorIds ?? [];
  if (Object.keys(labels).length + Object.keys(groups).length + monitorIds.length === 0)
    throw mistake("one of body 'labels', 'monitorIds' and 'groups' is required, so that not everything is silenced");
  if (repeat === undefined && endTime === undefined) throw mistake("body 'endTime' is required without 'repeat'");
  if (endTime !== undefined && Date.parse(endTime) <= Date.parse(startTime))
    throw mistake("body 'endTime' must be after 'startTime'");
  if (repeat !== undefined) checkRepeat(repeat);
  return {
    reason,
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(monitorIds.length > 0 && { monitorIds }),
    ...(Object.keys(groups).length > 0 && { groups }),
    startTime,
    ...(endTime !== undefined && { endTime }),
    ...(repeat !== undefined && { repeat }),
  };
}

function checkRepeat({ cron, timeZone = 'UTC' }: NonNullable<WriteSilence['repeat']>): void {
  try {
    parseCron(cron);
  } catch (error) {
    if (error instanceof CronError) throw mistake(`body 'repeat.cron': ${error.message}`);
    throw error;
  }
  if (!isTimeZone(timeZone))
    throw mistake(`body 'repeat.timeZone' is '${timeZone}', which is no time zone; use a name such as Europe/Berlin`);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A silence as shown to clients, with its state. */
export function shownSilence(silence: Silence, now: number): ShownSilence {
  const until = activeUntil(silence, now);
  const next = nextStart(silence, now);
  return {
    ...silence,
    active: until !== undefined,
    ...(until !== undefined && Number.isFinite(until) && { activeUntil: new Date(until).toISOString() }),
    ...(next !== undefined && { nextStart: new Date(next).toISOString() }),
  };
}

const mistake = (problem: string) => httpError('invalid-request', { problem });
