import type { Plain } from '../functions.js';

/** All matches of a regular expression that are not empty. */
const matches = (regex: string, text: string): readonly RegExpMatchArray[] =>
  [...text.matchAll(new RegExp(regex, 'gu'))].filter(([all]) => all !== '');

/** Functions of regular expressions. */
export const patternFunctions: Readonly<Record<string, readonly Plain[]>> = {
  extract: [
    {
      params: ['string', 'long', 'string'],
      returns: 'string',
      of: (regex: string, group: bigint, text: string) => new RegExp(regex, 'u').exec(text)?.[Number(group)] ?? null,
    },
  ],
  extract_all: [
    {
      params: ['string', 'string'],
      returns: 'dynamic',
      of: (regex: string, text: string) => matches(regex, text).map(([all, first]) => first ?? all),
    },
  ],
  countof_regex: [
    {
      params: ['string', 'string'],
      returns: 'long',
      of: (regex: string, text: string) => BigInt(matches(regex, text).length),
    },
  ],
  indexof_regex: [
    {
      params: ['string', 'string'],
      returns: 'long',
      of: (text: string, regex: string) => {
        const match = new RegExp(regex, 'u').exec(text);
        return match === null ? -1n : BigInt(Array.from(text.slice(0, match.index)).length);
      },
    },
  ],
  replace_regex: [
    {
      params: ['string', 'string', 'string'],
      returns: 'string',
      // Unlike JavaScript, the language has no empty match directly after another match.
      of: (regex: string, rewrite: string, text: string) => {
        let end = -1;
        return text.replaceAll(new RegExp(regex, 'gu'), (all: string, ...[at]: readonly number[]) => {
          if (all === '' && at === end) return '';
          end = at! + all.length;
          return rewrite.replaceAll('$0', all);
        });
      },
    },
  ],
};
