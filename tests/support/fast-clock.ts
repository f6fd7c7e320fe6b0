import { executedFirst } from './executed-first.ts';

/** Sets the clock of a process an hour ahead. */
export const anHourAhead = executedFirst(`const Right = Date;
globalThis.Date = class extends Right {
  constructor(...given) { super(...(given.length === 0 ? [Right.now() + 3600000] : given)); }
  static now() { return Right.now() + 3600000; }
};`);
