import type { Standing } from '../../data/tail/follow.js';
import type { Flow } from '../../widgets/page.js';

interface Words {
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
  readonly flow: Flow;
}

/** How a tail stands, in the words of its page. */
export function standingWords(standing: Standing | undefined, isPaused: boolean, position: string | undefined): Words {
  const place = position === undefined ? 'where it was' : positionText(position);
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

/** A position with its digits in groups, so that two people can compare them aloud. */
export const positionText = (position: string): string => position.replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');
