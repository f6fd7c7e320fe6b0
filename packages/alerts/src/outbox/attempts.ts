import type { MonitorAttempt } from '@millrace/api/schemas/incident';
import { type Attempt, type HttpAnswer, truncate } from '../channels/channel.js';

/** Attempts of a notification, kept with it for the history. */

/** Retries over days would fill the row; the first ones are left out. */
const maxAttempts = 20;
/** The beginning of what receivers answer. */
const longestAnswer = 200;

interface Tried {
  readonly attempt: Attempt;
  readonly answer?: HttpAnswer;
  /** When it began and ended, milliseconds since the epoch. */
  readonly began: number;
  readonly ended: number;
}

export function attemptRecord({ attempt, answer, began, ended }: Tried): MonitorAttempt {
  const said =
    answer?.text
      .trim()
      .split('\n')[0]
      ?.replaceAll(/[\p{Cc}]/gu, ' ') ?? '';
  return {
    time: new Date(began).toISOString(),
    outcome: attempt.kind,
    milliseconds: Math.max(0, ended - began),
    ...(answer !== undefined && { status: answer.status }),
    ...(attempt.kind === 'delivered'
      ? said !== '' && { answer: truncate(said, longestAnswer) }
      : { problem: attempt.problem }),
  };
}

export const withAttempt = (earlier: readonly MonitorAttempt[], attempt: MonitorAttempt): readonly MonitorAttempt[] =>
  [...earlier, attempt].slice(-maxAttempts);
