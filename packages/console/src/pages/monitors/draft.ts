import type { WriteMonitor } from '@millrace/client';
import { alignmentOf, bucketOf, outline } from '@millrace/mpl/editor';
import type { Monitor } from '../../data/alerts.js';
import { MINUTE, parseDuration } from '../../data/time/instants.js';
import { isLabelName, labelsIn, labelsText } from './label-lines.js';
import { flagFields, type Flags, numberFields, type NumberTexts } from './form-fields.js';

/** A monitor without one has the severity that the server chooses. */
export type DraftSeverity = NonNullable<Monitor['severity']> | 'default';

/** A monitor in the form. */
export interface Draft extends NumberTexts, Flags {
  readonly name: string;
  readonly type: Monitor['type'];
  readonly description: string;
  readonly aplQuery: string;
  /** Query of a metrics monitor, whose `aplQuery` is empty. */
  readonly mplQuery: string | undefined;
  readonly operator: NonNullable<Monitor['operator']>;
  readonly columnName: string;
  readonly severity: DraftSeverity;
  /** One per line: `team=payments`. */
  readonly labels: string;
  readonly notifierIds: readonly string[];
  readonly inhibitedBy: readonly string[];
  readonly notifyOnlyWhile: readonly string[];
  readonly disabled: boolean;
  /** Kept for other tools: without effect, so the form does not offer it. */
  readonly resolvable: boolean;
  readonly disabledUntil: string | undefined;
}

export const emptyDraft: Draft = {
  name: '',
  type: 'Threshold',
  description: '',
  aplQuery: '',
  mplQuery: undefined,
  operator: 'Above',
  columnName: '',
  threshold: '0',
  recoveryThreshold: '',
  keepFiringMinutes: '',
  groupMemoryMinutes: '',
  renotifyMinutes: '',
  intervalMinutes: '5',
  rangeMinutes: '5',
  secondDelay: '0',
  triggerFromNRuns: '0',
  triggerAfterNPositiveResults: '0',
  tolerance: '0',
  compareDays: '0',
  alertOnNoData: false,
  notifyByGroup: false,
  notifyEveryRun: false,
  skipResolved: false,
  resolvable: false,
  severity: 'default',
  labels: '',
  notifierIds: [],
  inhibitedBy: [],
  notifyOnlyWhile: [],
  disabled: false,
  disabledUntil: undefined,
};

export function draftOf(monitor: Monitor): Draft {
  const numbers = Object.fromEntries(
    numberFields.map(({ id, optional }) => [id, String(monitor[id] ?? (optional === true ? '' : 0))]),
  ) as unknown as NumberTexts;
  const flags = Object.fromEntries(flagFields.map(({ id }) => [id, monitor[id]])) as unknown as Flags;
  const { name, type, aplQuery, notifierIds, disabled, resolvable } = monitor;
  return {
    ...numbers,
    ...flags,
    name,
    type,
    aplQuery,
    mplQuery: monitor.mplQuery,
    notifierIds,
    disabled,
    resolvable,
    severity: monitor.severity ?? 'default',
    labels: labelsText(monitor.labels),
    description: monitor.description ?? '',
    operator: monitor.operator ?? 'Above',
    columnName: monitor.columnName ?? '',
    disabledUntil: monitor.disabledUntil,
    inhibitedBy: monitor.inhibitedBy ?? [],
    notifyOnlyWhile: monitor.notifyOnlyWhile ?? [],
  };
}

export type Problems = Readonly<Record<string, string>>;

/** Validation errors by field; the server validates the rest. */
export function problemsOf(draft: Draft): Problems {
  const problems: Record<string, string> = {};
  if (draft.name.trim() === '') problems['name'] = 'Enter a name';
  if ((draft.mplQuery ?? draft.aplQuery).trim() === '') problems['aplQuery'] = 'Enter a query';
  for (const { id, types, min, max, whole, optional } of numberFields) {
    if (!types.includes(draft.type) || (optional === true && draft[id].trim() === '')) continue;
    const value = numberIn(draft[id]);
    if (value === undefined) problems[id] = 'Enter a number';
    else if (whole && !Number.isInteger(value)) problems[id] = 'Enter a whole number';
    else if ((min !== undefined && value < min) || (max !== undefined && value > max))
      problems[id] = `From ${min} to ${max?.toLocaleString('en')}`;
  }
  const [threshold, recovery] = [numberIn(draft.threshold), numberIn(draft.recoveryThreshold)];
  if (draft.type === 'Threshold' && threshold !== undefined && recovery !== undefined) {
    const isLow = draft.operator.startsWith('Below');
    if (isLow ? recovery < threshold : recovery > threshold)
      problems['recoveryThreshold'] ??= `${isLow ? 'At least' : 'At most'} the threshold`;
  }
  if (Object.keys(labelsIn(draft.labels)).some((name) => !isLabelName(name)))
    problems['labels'] = 'Write name=value on each line';
  const [positives, runs] = [numberIn(draft.triggerAfterNPositiveResults), numberIn(draft.triggerFromNRuns)];
  if (draft.type !== 'MatchEvent' && positives !== undefined && runs !== undefined && positives > (runs || 1))
    problems['triggerAfterNPositiveResults'] ??= `${runs || 1} runs cannot contain ${positives} matches`;
  return problems;
}

export const numberIn = (text: string): number | undefined => {
  const value = text.trim() === '' ? Number.NaN : Number(text.replaceAll(/[\s_,](?=\d{3})/g, ''));
  return Number.isFinite(value) ? value : undefined;
};

/** Request for a draft. Omits invalid numbers, so check `problemsOf` first. */
export function bodyOf(draft: Draft): WriteMonitor {
  const { type, aplQuery, mplQuery, name, description, columnName, operator, severity } = draft;
  const { notifierIds, disabled, resolvable, disabledUntil } = draft;
  const numbers = numberFields
    .filter(({ types }) => types.includes(type))
    .flatMap(({ id }) => {
      const value = numberIn(draft[id]);
      return value === undefined ? [] : [[id, value] as const];
    });
  const flags = flagFields.filter(({ types }) => types.includes(type)).map(({ id }) => [id, draft[id]] as const);
  return {
    name: name.trim() === '' ? 'Draft' : name.trim(),
    type,
    ...(mplQuery === undefined ? { aplQuery } : { mplQuery }),
    ...(description.trim() !== '' && { description }),
    ...(type !== 'MatchEvent' && { operator: operatorFor(type, operator) }),
    ...(columnName.trim() !== '' && type !== 'MatchEvent' && { columnName: columnName.trim() }),
    ...Object.fromEntries(numbers),
    ...Object.fromEntries(flags),
    ...(severity !== 'default' && { severity }),
    ...(draft.labels.trim() !== '' && { labels: labelsIn(draft.labels) }),
    notifierIds,
    ...(draft.inhibitedBy.length > 0 && { inhibitedBy: [...draft.inhibitedBy] }),
    ...(draft.notifyOnlyWhile.length > 0 && { notifyOnlyWhile: [...draft.notifyOnlyWhile] }),
    disabled,
    resolvable,
    ...(disabledUntil !== undefined && { disabledUntil }),
  };
}

/** Above or below are the directions of anomalies, without "or equal". */
export const operatorFor = (type: Monitor['type'], operator: Draft['operator']): Draft['operator'] =>
  type === 'AnomalyDetection'
    ? operator === 'AboveOrBelow'
      ? operator
      : operator.startsWith('Below')
        ? 'Below'
        : 'Above'
    : operator === 'AboveOrBelow'
      ? 'Above'
      : operator;

/** Draft for a query: counts its events. */
export function draftFor(query: string, rangeMinutes: number | undefined, givesEvents: boolean): Draft {
  const range = Math.min(1440, Math.max(1, rangeMinutes ?? 5));
  return {
    ...emptyDraft,
    aplQuery: query === '' ? '' : givesEvents ? `${query.trimEnd()}\n| summarize count()` : query,
    rangeMinutes: String(range),
    intervalMinutes: String(Math.min(range, 5)),
  };
}

/** Draft for a query of metrics; its range holds a whole window. */
export function metricsDraft(mpl: string): Draft {
  const parts = outline(mpl);
  const width = parts && (bucketOf(parts) ?? alignmentOf(parts))?.width;
  const minutes = Number((parseDuration(width ?? '') ?? 0n) / MINUTE);
  return { ...emptyDraft, mplQuery: mpl, rangeMinutes: String(Math.min(31 * 1440, Math.max(5, minutes))) };
}
