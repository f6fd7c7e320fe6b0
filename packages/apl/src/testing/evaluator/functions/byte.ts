import type { Plain, Special } from '../functions.js';
import { textOf, truncate, wrap } from '../values.js';
import type { Value } from '../values.js';

const units = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'];

/** A size with a unit; whole bytes, 0 for anything else. */
function sizeOf(text: string, base = 2n): Value {
  const found = /^\s*(\d+(?:\.\d*)?|\.\d+)\s*([kmgtpezy]?)(i?)(?:b|bytes?)?\s*$/i.exec(text.replaceAll(',', ''));
  if (found === null) return 0n;
  const step = base === 10n && found[3] === '' ? 1000 : 1024;
  const power = ['', 'k', 'm', 'g', 't', 'p', 'e', 'z', 'y'].indexOf(found[2]!.toLowerCase());
  return truncate(Number(found[1]) * step ** power) ?? 0n;
}

/** A number of bytes in the smallest unit in which it is below 1024, also after rounding. */
function formatBytes(value: number, precision = 0n): string {
  const digits = Number(precision);
  const formatScaled = (power: number): string => (value / 1024 ** power).toFixed(digits);
  const power = units.findIndex((_, i) => i === units.length - 1 || Math.abs(Number(formatScaled(i))) < 1024);
  return `${formatScaled(power)} ${units[power]}`;
}

/**
 * Luhn's check: whether the sum of the digits, every second one from the right doubled, ends
 * with 0.
 */
function isChecked(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function crc32(bytes: Uint8Array): bigint {
  const sum = bytes.reduce((crc, byte) => {
    let next = crc ^ byte;
    for (let bit = 0; bit < 8; bit++) next = (next >>> 1) ^ (next & 1 ? 0xedb88320 : 0);
    return next >>> 0;
  }, 0xffffffff);
  return BigInt((sum ^ 0xffffffff) >>> 0);
}

const djb2 = (bytes: Uint8Array): bigint => wrap(bytes.reduce((hash, byte) => hash * 33n + BigInt(byte), 5381n));

const ofText =
  (of: (text: string) => Value, type: 'long' | 'bool' | 'string' = 'long'): Special =>
  ([value]) => ({
    type,
    at: (rows, i) => {
      const text = textOf(value!.at(rows, i), value!.type);
      return text === null ? null : of(text);
    },
  });

/** The digits of a value as an integer, after `toint`. */
const hexDigits = (value: bigint, length = 0n): string =>
  BigInt.asUintN(64, value)
    .toString(16)
    .padStart(Math.max(0, Number(length)), '0');

/** Functions of sizes, and of numbers as texts. */
export const byteFunctions: Readonly<Record<string, readonly Plain[]>> = {
  parse_bytes: [{ params: ['string', 'long'], optional: 1, returns: 'long', of: sizeOf }],
  format_bytes: [{ params: ['real', 'long'], optional: 1, returns: 'string', of: formatBytes }],
  tohex: [{ params: ['long', 'long'], optional: 1, returns: 'string', of: hexDigits }],
};

/** Functions of the texts of values. */
export const valueTextFunctions: Readonly<Record<string, Special>> = {
  __hash_crc32: ofText((text) => crc32(Buffer.from(text))),
  __hash_djb2: ofText((text) => djb2(Buffer.from(text))),
  isimei: ofText((text) => /^\d{15}$/.test(text) && isChecked(text), 'bool'),
};
