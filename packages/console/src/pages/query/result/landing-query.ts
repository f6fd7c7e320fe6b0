import { MINUTE, parseInstant, resolveInstant } from '../../../data/time/instants.js';
import { presets } from '../../../data/time/ranges.js';

/** Where the first page leads. */
export type Landing = 'welcome' | { readonly dataset: string; readonly from: string | undefined };

/** Shorter ranges than the usual one are not chosen. */
const USUAL = 'now-1h';

/** Datasets that get events all the time are as new as each other. */
const SAME_TIME = MINUTE;

/**
 * The dataset with the newest event, of several the first, and a range that reaches it: undefined
 * for the usual one.
 */
export function landingOf(
  infos: readonly { readonly name: string; readonly maxTime?: string }[],
  now: bigint,
): Landing {
  const filled = infos.flatMap(({ name, maxTime }) => {
    const newest = maxTime === undefined ? undefined : parseInstant(maxTime);
    return newest === undefined ? [] : [{ name, newest }];
  });
  const [first, ...others] = filled;
  if (first === undefined) return 'welcome';
  const newest = others.reduce((max, each) => (each.newest > max ? each.newest : max), first.newest);
  const latest = filled.find((each) => each.newest >= newest - SAME_TIME) ?? first;
  const usual = presets.findIndex(({ from }) => from === USUAL);
  const reaching = presets.slice(usual).find(({ from }) => resolveInstant(from, now)! <= latest.newest);
  return { dataset: latest.name, from: reaching === undefined || reaching.from === USUAL ? undefined : reaching.from };
}
