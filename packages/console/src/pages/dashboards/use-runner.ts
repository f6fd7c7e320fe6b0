import { useEffect, useState, useSyncExternalStore } from 'react';
import { runBatch } from '../../data/batch.js';
import { nowInstant } from '../../data/time/instants.js';
import { type Asked, BoardRunner, type Question } from './board-runner.js';

/** A runner that stops with the page. */
export function useRunner(): BoardRunner {
  const [runner] = useState(() => new BoardRunner(runBatch, nowInstant));
  useEffect(() => () => runner.stop(), [runner]);
  return runner;
}

/** What is known of a question; the component is drawn again only when that changes. */
export const useAsked = (runner: BoardRunner, question: Question | undefined): Asked | undefined =>
  useSyncExternalStore(runner.asked.subscribe, () =>
    question === undefined ? undefined : runner.asked.get().get(question.key),
  );

/** The shortest that the interface has; a document may say anything. */
const LEAST_SECONDS = 15;

/** Asks again every so many seconds, as long as somebody can see it. */
export function useTimedRefresh(runner: BoardRunner, seconds: number): void {
  useEffect(() => {
    if (seconds <= 0) return undefined;
    const timer = setInterval(
      () => {
        if (document.visibilityState === 'visible') runner.refresh();
      },
      Math.max(seconds, LEAST_SECONDS) * 1000,
    );
    return () => clearInterval(timer);
  }, [runner, seconds]);
}
