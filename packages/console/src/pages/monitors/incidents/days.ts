import type { AnswerOf } from '@millrace/client';

/** Incidents of a monitor over the last days. */

type Summary = AnswerOf<'listIncidents'>[number];

const DAYS = 30;
const day = 86_400_000;

interface MonitorDays {
  readonly monitorId: string;
  readonly incidents: number;
  readonly open: number;
  /** Milliseconds in which any incident was open. */
  readonly total: number;
  /** The share of each of the last days in which any was open, oldest first. */
  readonly days: readonly number[];
}

/** @param isInstant incidents without a duration, such as events that matched */
export function daysOf(
  incidents: readonly Summary[],
  now: number,
  isInstant: (monitorId: string) => boolean,
): readonly MonitorDays[] {
  const of = new Map<string, Summary[]>();
  for (const incident of incidents) of.set(incident.monitorId, [...(of.get(incident.monitorId) ?? []), incident]);
  return [...of].map(([monitorId, own]) => {
    const instant = isInstant(monitorId);
    const spans = uniteSpans(
      own.map(({ openedAt, closedAt }) => {
        const from = Date.parse(openedAt);
        return [from, instant ? from : closedAt === undefined ? now : Date.parse(closedAt)] as const;
      }),
    );
    const days = Array.from({ length: DAYS }, (_, index) => {
      const start = now - (DAYS - index) * day;
      const inside = spans.filter(([from, to]) => from < start + day && to >= start);
      const length = inside.reduce((sum, [from, to]) => sum + Math.min(to, start + day) - Math.max(from, start), 0);
      // An incident of a moment is visible too.
      return inside.length === 0 ? 0 : Math.max(Number.EPSILON, length / day);
    });
    return {
      monitorId,
      incidents: own.length,
      open: instant ? 0 : own.filter(({ closedAt }) => closedAt === undefined).length,
      total: spans.reduce((sum, [from, to]) => sum + to - from, 0),
      days,
    };
  });
}

/** Joins spans that overlap: two open groups are one time. */
function uniteSpans(spans: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const result: [number, number][] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** 0: none, 1: under 15 minutes, 2: under 2 hours, 3: longer. */
export const levelOf = (share: number): 0 | 1 | 2 | 3 =>
  share === 0 ? 0 : share < 15 / 1440 ? 1 : share < 120 / 1440 ? 2 : 3;
