import { BoundExceeded } from '@millrace/mpl';
import { EvaluationProblem } from '@millrace/promql';
import { prometheusError } from './prometheus-error.js';

/** Turns problems of a query with its data into errors of Prometheus. */
export async function withProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BoundExceeded || error instanceof EvaluationProblem)
      throw prometheusError('execution', error.message, error);
    throw error;
  }
}
