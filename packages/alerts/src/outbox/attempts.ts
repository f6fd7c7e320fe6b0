import type { MonitorAttempt } from '@millrace/api/schemas/incident';
import { type Attempt, firstLine, type HttpAnswer } from '../channels/channel.js';

/** Attempts of a notification, kept with it for the history. */

/** Retries over days would fill the row; the first ones are left out. */
const maxAttempts = 20;

interface TimedAttempt {
  readonly attempt: Attempt;
  readonly answer?: HttpAnswer;
  /** When it began and ended, milliseconds since the epoch. */
  readonly began: number;
  readonly ended: number;
}

export function attemptRecord({ attempt, answer, began, ended }: TimedAttempt): MonitorAttempt {
  const text = answer === undefined ? '' : firstLine(answer.text);
  return {
    time: new Date(began).toISOString(),
    outcome: attempt.kind,
    milliseconds: Math.max(0, ended - began),
    ...(answer !== undefined && { status: answer.status }),
    ...(attempt.kind === 'delivered' ? text !== '' && { answer: text } : { problem: attempt.problem }),
  };
}

export const withAttempt = (earlier: readonly MonitorAttempt[], attempt: MonitorAttempt): readonly MonitorAttempt[] =>
  [...earlier, attempt].slice(-maxAttempts);
