import type { BindOperator } from './define.js';

/** `as Name`: what came so far can be used as a table further on. */
export const bindAs: BindOperator<'as'> = ({ name }, input, context) => {
  context.define(name.text, input);
  return input;
};
