import type { Plain } from '../functions.js';

const first = (text: string, set: string): string => {
  let characters = [...text];
  while (characters[0] !== undefined && [...set].includes(characters[0])) characters = characters.slice(1);
  return characters.join('');
};
const last = (text: string, set: string): string => [...first([...text].reverse().join(''), set)].reverse().join('');

/** Number of characters. */
const size = (text: string): bigint => BigInt([...text].length);

/** A position counted from the beginning; one before the beginning counts as the beginning. */
const place = (size: number, at: bigint): number => (at < 0n ? Math.max(0, size + Number(at)) : Number(at));

const ofText = (of: (text: string) => string): readonly Plain[] => [{ params: ['string'], returns: 'string', of }];
const ofTwo = (of: (a: string, b: string) => string): readonly Plain[] => [
  { params: ['string', 'string'], returns: 'string', of },
];

/** Functions of text; positions count characters. */
export const textFunctions: Readonly<Record<string, readonly Plain[]>> = {
  strlen: [{ params: ['string'], returns: 'long', of: (text: string) => size(text) }],
  string_size: [{ params: ['string'], returns: 'long', of: (text: string) => BigInt(Buffer.byteLength(text)) }],
  tolower: ofText((text) => text.toLowerCase()),
  toupper: ofText((text) => text.toUpperCase()),
  reverse: ofText((text) => [...text].reverse().join('')),
  trim: ofTwo((set, text) => last(first(text, set), set)),
  trim_start: ofTwo((set, text) => first(text, set)),
  trim_end: ofTwo((set, text) => last(text, set)),
  substring: [
    {
      params: ['string', 'long', 'long'],
      optional: 2,
      returns: 'string',
      of: (text: string, start: bigint, length?: bigint) => {
        const characters = [...text];
        const from = place(characters.length, start);
        const end = length === undefined ? characters.length : from + Math.max(0, Number(length));
        return characters.slice(from, end).join('');
      },
    },
  ],
  indexof: [
    {
      params: ['string', 'string', 'long'],
      optional: 2,
      returns: 'long',
      of: (text: string, wanted: string, start: bigint = 0n) => {
        const characters = [...text];
        const from = place(characters.length, start);
        const window = characters.slice(from).join('');
        const at = window.indexOf(wanted);
        return at < 0 ? -1n : BigInt(from) + size(window.slice(0, at));
      },
    },
  ],
  replace_string: [
    {
      params: ['string', 'string', 'string'],
      returns: 'string',
      of: (lookup: string, rewrite: string, text: string) => (lookup === '' ? text : text.split(lookup).join(rewrite)),
    },
  ],
  split: [
    {
      params: ['string', 'string'],
      returns: 'dynamic',
      of: (text: string, delimiter: string) => (delimiter === '' ? [...text] : text.split(delimiter)),
    },
  ],
  strrep: [
    {
      params: ['string', 'long'],
      returns: 'string',
      of: (text: string, times: bigint) => text.repeat(Math.max(0, Number(times))),
    },
  ],
  countof: [
    {
      params: ['string', 'string'],
      returns: 'long',
      of: (search: string, text: string) => BigInt(text.split(search).length - 1),
    },
  ],
};
