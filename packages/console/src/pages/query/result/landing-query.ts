import { parseInstant, resolveInstant } from '../../../data/time/instants.js';
import { presets } from '../../../data/time/ranges.js';

/** Where the first page leads. */
export type Landing = 'welcome' | { readonly dataset: string; readonly from: string | undefined };

/** Shorter ranges than the usual one are not chosen. */
const USUAL = 'now-1h';

/** The dataset with the newest event, and a range that reaches it: undefined for the usual one. */
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
  const latest = others.reduce((best, each) => (each.newest > best.newest ? each : best), first);
  const usual = presets.findIndex(({ from }) => from === USUAL);
  const reaching = presets.slice(usual).find(({ from }) => resolveInstant(from, now)! <= latest.newest);
  return { dataset: latest.name, from: reaching === undefined || reaching.from === USUAL ? undefined : reaching.from };
}
