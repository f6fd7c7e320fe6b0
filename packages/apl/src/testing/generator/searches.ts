import { Expressions } from './expressions.js';
import type { Choices } from './choices.js';
import type { Step } from './pipelines.js';

const words = ['a', 'error', 'api', 'foo', '1', 'ä', 'Ö', '語', 'x1', 'b c', 'true', 'k', '-'];

/** A word, maybe with an asterisk at one or both ends. */
const term = (choices: Choices): string => {
  const word = choices.of(words);
  return `"${choices.of([word, word, `${word}*`, `*${word}`, `*${word}*`])}"`;
};

const search: Step = (choices, shape) => {
  const condition = (): string =>
    choices.oneIn(4)
      ? `(${new Expressions(choices, shape).of('bool', 1)})`
      : choices.oneIn(5)
        ? `not(${term(choices)})`
        : term(choices);
  const more = choices.times(0, 2, () => ` ${choices.of(['and', 'or'])} ${condition()}`);
  return { text: `search ${condition()}${more.join('')}`, shape };
};

export const searchOperators: readonly Step[] = [search];
