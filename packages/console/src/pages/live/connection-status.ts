import type { TailStatus } from '../../data/tail/follow.js';
import type { Flow } from '../../widgets/page.js';

interface Words {
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
  readonly flow: Flow;
}

/** Status of a tail, in words. */
export function standingWords(
  standing: TailStatus | undefined,
  isPaused: boolean,
  position: string | undefined,
): Words {
  const place = position === undefined ? 'the last position' : positionText(position);
  switch (standing?.kind) {
    case undefined:
    case 'connecting':
      return { text: 'connecting', tone: 'plain', flow: 'running' };
    case 'live':
      return isPaused
        ? { text: 'live, view paused', tone: 'warn', flow: 'paused' }
        : { text: 'live', tone: 'good', flow: 'live' };
    case 'behind':
      return { text: 'catching up', tone: 'warn', flow: 'running' };
    case 'broken':
      return { text: `reconnecting, will resume at ${place}: ${standing.problem}`, tone: 'warn', flow: 'partial' };
    case 'refused':
      return { text: 'stopped', tone: 'bad', flow: 'failed' };
  }
}

/** A position with grouped digits, easy to read aloud. */
export const positionText = (position: string): string => position.replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');
