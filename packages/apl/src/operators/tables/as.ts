import type { BindOperator } from '../define.js';

/** `as Name`: makes the result so far usable as a table further on. */
export const bindAs: BindOperator<'as'> = ({ name }, input, context) => {
  context.define(name.text, input);
  return input;
};
