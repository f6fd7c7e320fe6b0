import { EngineError } from '@millrace/engine';
import { Work, WorkExceeded } from '@millrace/mpl';
import { httpError } from '@millrace/api/errors';
import { type Settings, variableOf } from '@millrace/http/settings/settings';
import { Yielder } from '@millrace/runtime/async/yield';
import type { MemoryGrant } from '../schedule/query-scheduler.js';

/** Evaluations on arrays within the limits of a query. */
export interface BoundedWork {
  readonly work: Work;
  /**
   * Takes the steps of an evaluation, with other work in between.
   * @throws HttpError `query-cancelled`, `query-too-large`; EngineError `time-limit`,
   *   `memory-limit`
   */
  readonly take: <T>(steps: Generator<void, T>) => Promise<T>;
}

interface EvaluationLimits {
  readonly signal: AbortSignal;
  /** By `performance.now()`. */
  readonly deadline: number;
  /** The evaluation may use as much memory as a statement; too little leads to a larger grant. */
  readonly grant: Pick<MemoryGrant, 'memoryBytes'>;
  readonly settings: Pick<Settings, 'queryMaxSamples' | 'queryMemoryBytes'>;
}

export function boundedWork({ signal, deadline, grant, settings }: EvaluationLimits): BoundedWork {
  const samples = settings.queryMaxSamples;
  const work = new Work({ samples, bytes: Math.min(settings.queryMemoryBytes, grant.memoryBytes) });
  const yielder = new Yielder();
  const take = async <T>(steps: Generator<void, T>): Promise<T> => {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await yielder.maybeYield();
      if (signal.aborted) throw httpError('query-cancelled', {});
      if (performance.now() > deadline) throw new EngineError('time-limit');
    }
  };
  return { work, take: (steps) => translateErrors(take(steps)) };
}

/** Turns exceeded limits into errors of the query. */
export async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    if (error.limit === 'bytes') throw new EngineError('memory-limit', error.message);
    const problem = `touch more than ${error.most} samples (${variableOf('queryMaxSamples')}); shorten its ranges, use longer steps, or select fewer series`;
    throw httpError('query-too-large', { problem }, { cause: error });
  }
}
