import type { Change } from '../state/transition.js';

/**
 * What several runs changed together, for receivers that learn of them at once: a group that opened
 * and closed did not change, nor did one that closed and opened again.
 */
export function netChanges<C extends Change>(changes: readonly C[]): readonly C[] {
  const groups = new Map<string, C[]>();
  for (const change of changes) {
    const all = groups.get(change.group);
    if (all === undefined) groups.set(change.group, [change]);
    else all.push(change);
  }
  return [...groups.values()].flatMap((all) => netOf(all));
}

/** @param all changes of one group */
function netOf<C extends Change>(all: readonly C[]): readonly C[] {
  const news = all.filter(({ again }) => !again);
  const [first, last, newest] = [news[0], news.at(-1), all.at(-1)!];
  if (first === undefined || last === undefined) return [newest];
  const hasChanged = first.action === last.action;
  // A repeated notification has the newest state; the change itself must not get lost.
  if (newest.again) return [{ ...newest, again: !hasChanged }];
  return hasChanged ? [last] : [];
}
