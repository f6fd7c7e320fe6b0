import { lineAndColumn } from '@millrace/apl';
import { httpError } from '@millrace/api/errors';
import { isMpl } from '@millrace/query/mpl/check-mpl';
import type { Monitor, StoredMonitor, WriteMonitor } from '@millrace/api/schemas/monitor';

/** Converts a monitor between its API form and its stored form. */

/** A monitor without ID and audit fields. */
export type MonitorDraft = Omit<
  StoredMonitor,
  'id' | 'createdAt' | 'createdBy' | 'updatedAt' | 'reads' | 'from' | 'writtenBy'
>;

/** Default values of a monitor's optional properties. */
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
 * Converts a request to a draft, with defaults for omitted properties. `aplQuery` may be MPL, as
 * `toApiMonitor` returns it: a client that sends back what it read keeps the query.
 * @throws HttpError `invalid-request`
 */
export function draftOf(body: WriteMonitor): MonitorDraft {
  const { aplQuery = '', mplQuery = '', operator = '', description = '', columnName = '', disabledUntil } = body;
  if (aplQuery !== '' && mplQuery !== '') throw mistake("only one of body 'aplQuery' and 'mplQuery' may be there");
  if (aplQuery.trim() === '' && mplQuery.trim() === '')
    throw mistake("one of body 'aplQuery' and 'mplQuery' is required");
  const { type, intervalMinutes, rangeMinutes, triggerFromNRuns = 0, triggerAfterNPositiveResults = 0 } = body;
  const isMatch = type === 'MatchEvent';
  if (!isMatch && operator === '') throw mistake(`body 'operator' is required for a monitor of type ${type}`);
  if (type === 'Threshold' && operator === 'AboveOrBelow')
    throw mistake("body 'operator' AboveOrBelow is for monitors of type AnomalyDetection; use Above or Below");
  if (triggerAfterNPositiveResults > (triggerFromNRuns || 1))
    throw mistake(
      `body 'triggerAfterNPositiveResults' is ${triggerAfterNPositiveResults}, which no ${triggerFromNRuns || 1} runs can reach; raise 'triggerFromNRuns'`,
    );
  checkRecovery(body);
  checkLabels(body.labels ?? {});
  return {
    name: body.name,
    type,
    ...(description !== '' && { description }),
    aplQuery: aplQuery === '' ? mplQuery : aplQuery,
    language: aplQuery === '' || (!isMatch && isMpl(aplQuery)) ? 'mpl' : 'apl',
    ...(operator !== '' && { operator }),
    threshold: body.threshold ?? 0,
    ...(columnName !== '' && { columnName }),
    intervalMinutes: isMatch ? 1 : intervalMinutes || 1,
    rangeMinutes: isMatch ? 1 : rangeMinutes || 1,
    ...(isMatch && { sentMinutes: { intervalMinutes: intervalMinutes || 1, rangeMinutes: rangeMinutes || 1 } }),
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
    ...(type === 'Threshold' && body.recoveryThreshold !== undefined && { recoveryThreshold: body.recoveryThreshold }),
    ...(!isMatch && (body.keepFiringMinutes ?? 0) > 0 && { keepFiringMinutes: body.keepFiringMinutes }),
    ...(!isMatch && (body.groupMemoryMinutes ?? 0) > 0 && { groupMemoryMinutes: body.groupMemoryMinutes }),
    ...((body.renotifyMinutes ?? 0) > 0 && { renotifyMinutes: body.renotifyMinutes }),
    ...((body.inhibitedBy?.length ?? 0) > 0 && { inhibitedBy: body.inhibitedBy }),
    ...((body.notifyOnlyWhile?.length ?? 0) > 0 && { notifyOnlyWhile: body.notifyOnlyWhile }),
    ...(body.severity !== undefined && { severity: body.severity }),
    ...(body.labels !== undefined && { labels: body.labels }),
  };
}

/** A value that violates the threshold must not be a recovery. */
function checkRecovery({ type, operator, threshold = 0, recoveryThreshold }: WriteMonitor): void {
  if (type !== 'Threshold' || recoveryThreshold === undefined) return;
  const isLow = operator === 'Below' || operator === 'BelowOrEqual';
  if (isLow ? recoveryThreshold < threshold : recoveryThreshold > threshold)
    throw mistake(
      `body 'recoveryThreshold' must be ${isLow ? 'at least' : 'at most'} the threshold of ${threshold} for operator ${operator ?? ''}`,
    );
}

const maxLabels = 32;

function checkLabels(labels: Readonly<Record<string, string>>): void {
  const names = Object.keys(labels);
  if (names.length > maxLabels) throw mistake(`body 'labels' must have at most ${maxLabels} members`);
  const wrong = names.find((name) => !/^[A-Za-z_][\w.-]{0,127}$/.test(name));
  if (wrong !== undefined)
    throw mistake(
      `body 'labels' has the name '${wrong}'; names begin with a letter and have letters, digits, '_', '.' and '-'`,
    );
}

/**
 * The monitor as it was sent, except that `aplQuery` has the query in either language, as on the
 * service.
 * @param include `mplQuery` for a property of its own for MPL, with an empty `aplQuery`
 */
export function toApiMonitor(stored: StoredMonitor, include?: 'mplQuery'): Monitor {
  const {
    language,
    reads: _reads,
    from: _from,
    writtenBy: _writtenBy,
    isOrphaned: _isOrphaned,
    sentMinutes,
    ...monitor
  } = stored;
  const query = language === 'mpl' && include === 'mplQuery' ? { aplQuery: '', mplQuery: monitor.aplQuery } : {};
  return { ...monitor, ...sentMinutes, ...query };
}

/** Whether a monitor is off or muted, so that it sends nothing. A muted monitor keeps running. */
export const isOff = ({ disabled, disabledUntil }: Pick<Monitor, 'disabled' | 'disabledUntil'>, now: number): boolean =>
  disabled || (disabledUntil !== undefined && Date.parse(disabledUntil) > now);

const mistake = (problem: string) => httpError('invalid-request', { problem });

/** Error at a position in the text of a property. */
export function errorAt(member: string, text: string, offset: number, problem: string) {
  const { line, column } = lineAndColumn(text, offset);
  return mistake(`body '${member}', line ${line}, column ${column}: ${problem}`);
}
