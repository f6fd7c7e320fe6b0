import { lineAndColumn } from '@millrace/apl';
import { httpError } from '../errors.js';
import type { Monitor, StoredMonitor, WriteMonitor } from '../schemas/monitor.js';

/** What a client sends of a monitor → what is kept, and back. */

/** What a monitor is, without who made it when. */
export type MonitorDraft = Omit<StoredMonitor, 'id' | 'createdAt' | 'createdBy' | 'updatedAt' | 'reads' | 'from'>;

/** What a monitor is as far as nothing is said about it. */
export const plainMonitor = {
  threshold: 0,
  intervalMinutes: 1,
  rangeMinutes: 1,
  secondDelay: 0,
  alertOnNoData: false,
  notifyByGroup: false,
  notifyEveryRun: false,
  skipResolved: false,
  resolvable: false,
  triggerFromNRuns: 0,
  triggerAfterNPositiveResults: 0,
  tolerance: 0,
  compareDays: 0,
  disabled: false,
} as const;

/**
 * The monitor that a request describes: what it leaves out has its default.
 * @param present the monitor that is replaced. A query in MPL reads back as `aplQuery`; whoever
 * sends that back means the same.
 * @throws HttpError `invalid-request`
 */
export function draftOf(body: WriteMonitor, present?: Pick<StoredMonitor, 'aplQuery' | 'language'>): MonitorDraft {
  const { aplQuery = '', mplQuery = '', operator = '', description = '', columnName = '', disabledUntil } = body;
  if (aplQuery !== '' && mplQuery !== '') throw mistake("only one of body 'aplQuery' and 'mplQuery' may be there");
  if (aplQuery.trim() === '' && mplQuery.trim() === '')
    throw mistake("one of body 'aplQuery' and 'mplQuery' is required");
  const { type, triggerFromNRuns = 0, triggerAfterNPositiveResults = 0 } = body;
  const isMatch = type === 'MatchEvent';
  if (!isMatch && operator === '') throw mistake(`body 'operator' is required for a monitor of type ${type}`);
  if (type === 'Threshold' && operator === 'AboveOrBelow')
    throw mistake("body 'operator' AboveOrBelow is for monitors of type AnomalyDetection; use Above or Below");
  if (triggerAfterNPositiveResults > (triggerFromNRuns || 1))
    throw mistake(
      `body 'triggerAfterNPositiveResults' is ${triggerAfterNPositiveResults}, which no ${triggerFromNRuns || 1} runs can reach; raise 'triggerFromNRuns'`,
    );
  return {
    name: body.name,
    type,
    ...(description !== '' && { description }),
    aplQuery: aplQuery === '' ? mplQuery : aplQuery,
    language: aplQuery === '' || (present?.language === 'mpl' && present.aplQuery === aplQuery) ? 'mpl' : 'apl',
    ...(operator !== '' && { operator }),
    threshold: body.threshold ?? 0,
    ...(columnName !== '' && { columnName }),
    intervalMinutes: isMatch ? 1 : body.intervalMinutes || 1,
    rangeMinutes: isMatch ? 1 : body.rangeMinutes || 1,
    secondDelay: body.secondDelay ?? 0,
    alertOnNoData: body.alertOnNoData ?? false,
    notifyByGroup: body.notifyByGroup ?? false,
    notifyEveryRun: body.notifyEveryRun ?? false,
    skipResolved: body.skipResolved ?? false,
    resolvable: body.resolvable ?? false,
    triggerFromNRuns,
    triggerAfterNPositiveResults,
    tolerance: body.tolerance ?? 0,
    compareDays: body.compareDays ?? 0,
    disabled: body.disabled ?? false,
    ...(disabledUntil !== undefined && { disabledUntil }),
    notifierIds: body.notifierIds ?? [],
  };
}

/** What a client is shown of a monitor. */
export function shownMonitor(stored: StoredMonitor): Monitor {
  const { language: _language, reads: _reads, from: _from, ...monitor } = stored;
  return monitor;
}

/** Whether a monitor does nothing at the moment. */
export const isOff = ({ disabled, disabledUntil }: Pick<Monitor, 'disabled' | 'disabledUntil'>, now: number): boolean =>
  disabled || (disabledUntil !== undefined && Date.parse(disabledUntil) > now);

const mistake = (problem: string) => httpError('invalid-request', { problem });

/** A mistake at a place in the text of a member. */
export function mistakeAt(member: string, text: string, offset: number, problem: string) {
  const { line, column } = lineAndColumn(text, offset);
  return mistake(`body '${member}', line ${line}, column ${column}: ${problem}`);
}
