import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { match, type MatchLimits } from '../evaluate/match.js';
import type { Notification } from '../outbox/notification.js';
import { nextRun } from '../schedule/phase.js';
import type { Source } from '../source.js';
import type { MatchState } from '../state/state.js';
import type { BackTest, BackTestChange, BackTestRun } from './back-test.js';

/**
 * Back-test of a match monitor over events by their time, as if each had arrived then. Positions of
 * the log are replaced by times in milliseconds.
 */

interface MatchesOptions {
  readonly source: Pick<Source, 'eventsBetween'>;
  readonly signal: AbortSignal;
  /** For one query, milliseconds. */
  readonly timeout: number;
  /** By `performance.now()`. */
  readonly deadline: number;
  readonly maxRuns: number;
  readonly limits: MatchLimits;
  readonly explain: (error: unknown) => string;
}

/** @param range times of the first and last run, milliseconds since the epoch */
export async function backTestMatches(
  monitor: StoredMonitor,
  { from, to }: { readonly from: number; readonly to: number },
  { source, signal, timeout, deadline, maxRuns, limits, explain }: MatchesOptions,
): Promise<BackTest> {
  const interval = monitor.intervalMinutes * 60_000;
  const leftOut = Math.max(0, Math.floor((to - from) / interval) + 1 - maxRuns);
  const byTime: Pick<Source, 'matches'> = {
    matches: async ({ apl, reads, after, upTo, limit, ...query }) => ({
      events: await source.eventsBetween({
        apl,
        reads,
        signal: query.signal,
        timeout: query.timeout,
        start: Number(after),
        end: Number(upTo),
        limit,
      }),
      held: [],
    }),
  };
  let time = from + leftOut * interval;
  let state: MatchState | undefined;
  const past = { ...monitor, createdAt: new Date(from).toISOString(), from: String(time - interval) };
  const runs: BackTestRun[] = [];
  const changes: BackTestChange[] = [];
  const notifications: Notification[] = [];
  for (; time <= to && runs.length < maxRuns && performance.now() < deadline; time = nextRun(past, time, to)) {
    const window = { start: time - interval, end: time };
    try {
      const found = await match(past, state, {
        source: byTime,
        signal,
        timeout,
        limits,
        time,
        upTo: BigInt(time),
      });
      state = found.match;
      const sent = found.notifications.map(({ notification }) => notification);
      notifications.push(...sent);
      runs.push({ time, ...window, state: 'ok', matched: found.matched, notified: sent.length });
      for (const _ of sent) changes.push({ time, name: monitor.name, state: 'open', keys: [], values: [] });
    } catch (error) {
      if (signal.aborted) throw error;
      runs.push({ time, ...window, state: 'error', error: explain(error), notified: 0 });
      if (runs.length === 1) break;
    }
  }
  return { runs, changes, notifications, complete: leftOut === 0 && time > to };
}
