import { Yielder } from './yield.js';

/** Texts that are sorted in one go: a millisecond or two. */
const inOneGo = 2048;

/**
 * The texts in the order of their code units, sorted with a breath now and then: there may be
 * millions.
 */
export async function sortYielding(texts: Iterable<string>): Promise<readonly string[]> {
  const yielder = new Yielder();
  let all: string[] = [];
  for (const text of texts) if (all.push(text) % inOneGo === 0) await yielder.maybeYield();
  const count = all.length;
  for (let from = 0; from < count; from += inOneGo) {
    const some = all.slice(from, from + inOneGo).sort();
    for (let i = 0; i < some.length; i++) all[from + i] = some[i]!;
    await yielder.maybeYield();
  }
  for (let width = inOneGo; width < count; width *= 2) {
    const merged: string[] = [];
    for (let from = 0; from < count; from += 2 * width) {
      const [middle, end] = [Math.min(from + width, count), Math.min(from + 2 * width, count)];
      let [left, right] = [from, middle];
      while (left < middle || right < end) {
        const isLeft = right === end || (left < middle && all[left]! <= all[right]!);
        if (merged.push(all[isLeft ? left++ : right++]!) % inOneGo === 0) await yielder.maybeYield();
      }
    }
    all = merged;
  }
  return all;
}
