import { usage } from '../failure.js';

/** `a=b` of each option. @throws Failure `usage` */
export function pairs(option: string, texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const equals = text.indexOf('=');
      if (equals < 1) throw usage(`${option} needs a name and a value, as in a=b, not '${text}'`);
      return [text.slice(0, equals), text.slice(equals + 1)];
    }),
  );
}
