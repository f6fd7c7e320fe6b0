import { goText, isObject, isTrue, quoteText } from './go-text.js';
import { printf } from './printf.js';

/** The functions of templates: those of Go that notifications use, and two that write JSON. */

/** `and` and `or` short-circuit, so the renderer implements them. */
const functions: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
  jsonObject: (value) => (isObject(value) ? JSON.stringify(value) : 'null'),
  jsonArray: (value) => (Array.isArray(value) ? JSON.stringify(value) : 'null'),
  eq: (first, ...others) => others.some((other) => isEqual(first, other)),
  ne: (a, b) => !isEqual(a, b),
  lt: (a, b) => compare(a, b) < 0,
  le: (a, b) => compare(a, b) <= 0,
  gt: (a, b) => compare(a, b) > 0,
  ge: (a, b) => compare(a, b) >= 0,
  and: (...args) => args.find((value) => !isTrue(value)) ?? args.at(-1),
  or: (...args) => args.find(isTrue) ?? args.at(-1),
  not: (value) => !isTrue(value),
  print: (...args) =>
    args
      .map((value, i) => {
        const before = args[i - 1];
        return i > 0 && typeof value !== 'string' && typeof before !== 'string' ? ` ${goText(value)}` : goText(value);
      })
      .join(''),
  println: (...args) => `${args.map(goText).join(' ')}\n`,
  printf: (format, ...args) => printf(goText(format), args),
  len: (value) => lengthOf(value),
  index: (value, ...keys) => keys.reduce<unknown>((within, key) => at(within, key), value),
  html: (...args) =>
    args
      .map(goText)
      .join('')
      .replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`),
  js: (...args) =>
    quoteText(args.map(goText).join(''))
      .slice(1, -1)
      .replaceAll(/[<>&='\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`),
  urlquery: (...args) => encodeURIComponent(args.map(goText).join('')).replaceAll('%20', '+'),
};

export const functionNames: ReadonlySet<string> = new Set(Object.keys(functions));

/** @throws Error with words for a person when the values do not fit */
export function callFunction(name: string, args: readonly unknown[]): unknown {
  return functions[name]!(...args);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  if (typeof a === 'object' || typeof b === 'object') throw new Error('lists and objects cannot be compared');
  if (typeof a !== typeof b) throw new Error(`a ${typeof a} and a ${typeof b} cannot be compared`);
  return a === b;
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  throw new Error(`a ${typeof a} and a ${typeof b} have no order`);
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  if (value === null || value === undefined) return 0;
  throw new Error(`a ${typeof value} has no length`);
}

function at(value: unknown, key: unknown): unknown {
  if (Array.isArray(value) && typeof key === 'number') {
    if (!(key in value)) throw new Error(`there is no element ${key} among ${value.length}`);
    return value[key] as unknown;
  }
  if (isObject(value) && typeof key === 'string') return Object.hasOwn(value, key) ? value[key] : undefined;
  if (value === null || value === undefined) return undefined;
  throw new Error('index takes a list and a number, or an object and a name');
}
