import { createHash } from 'node:crypto';
import type { Plain, Special } from '../functions.js';
import { textOf } from '../values.js';
import { isList, order } from '../values.js';
import type { Value } from '../values.js';

const ofText = (returns: 'string' | 'dynamic' | 'bool', of: (text: string) => Value): readonly Plain[] => [
  { params: ['string'], returns, of },
];

const spaces = /^[\t\n\v\f\r ]+|[\t\n\v\f\r ]+$/g;

/** Other ways to write texts. */
export const encodingFunctions: Readonly<Record<string, readonly Plain[]>> = {
  base64_encode_tostring: ofText('string', (text) => Buffer.from(text).toString('base64')),
  base64_decode_tostring: ofText('string', (text) => {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.toString('base64') !== text) return null;
    const decoded = bytes.toString();
    return Buffer.from(decoded).equals(bytes) ? decoded : null;
  }),
  url_encode: ofText('string', (text) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
  ),
  url_decode: ofText('string', (text) => decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))),
  unicode_codepoints_from_string: ofText('dynamic', (text) => [...text].map((c) => BigInt(c.codePointAt(0)!))),
  isascii: ofText('bool', (text) => [...text].every((c) => c.codePointAt(0)! < 128)),
  isutf8: ofText('bool', () => true),
  trim_space: ofText('string', (text) => text.replaceAll(spaces, '')),
  quote: ofText('string', (text) => JSON.stringify(text)),
  totitle: ofText('string', (text) =>
    text.toLowerCase().replaceAll(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase()),
  ),
  strcmp: [{ params: ['string', 'string'], returns: 'long', of: (a: string, b: string) => BigInt(order(a, b)!) }],
  translate: [
    {
      params: ['string', 'string', 'string'],
      returns: 'string',
      of: (search: string, replacement: string, text: string) => {
        const [from, to] = [[...search], [...replacement]];
        const replaceCharacter = (character: string): string => {
          const at = from.indexOf(character);
          return at < 0 ? character : (to[Math.min(at, to.length - 1)] ?? '');
        };
        return [...text].map(replaceCharacter).join('');
      },
    },
  ],
  strcat_array: [
    {
      params: ['dynamic', 'string'],
      optional: 1,
      returns: 'string',
      of: (list: Value, delimiter = '') =>
        isList(list) ? list.map((value) => textOf(value, 'dynamic') ?? '').join(delimiter) : null,
    },
  ],
};

const hash =
  (name: string): Special =>
  ([value]) => ({
    type: 'string',
    at: (rows, i) => {
      const text = textOf(value!.at(rows, i), value!.type);
      return text === null ? null : createHash(name).update(text).digest('hex');
    },
  });

/** Hashes of the texts of values. */
export const hashFunctions: Readonly<Record<string, Special>> = {
  hash_md5: hash('md5'),
  hash_sha1: hash('sha1'),
  hash_sha256: hash('sha256'),
  hash_sha512: hash('sha512'),
};
