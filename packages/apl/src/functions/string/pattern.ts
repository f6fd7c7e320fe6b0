import { literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import type { AboutArgument, LoweredArgument } from '../define.js';
import { param } from '../define.js';
import { readRegex } from '../re2.js';
import type { RegexShape } from '../re2.js';
import { asWritten } from '../regex-tree.js';

/** Regular expressions as arguments: they are constants, read while compiling. */

export const regexParam = param('regex', 'string', { constant: true });

/** Reports an error in the regular expression at `argument`. */
export const checkRegexAt =
  (argument: number) =>
  (args: readonly (LoweredArgument | undefined)[]): AboutArgument | undefined => {
    const regex = args[argument]?.constant;
    if (typeof regex !== 'string') return undefined;
    const reading = readRegex(regex);
    return reading.ok ? undefined : { argument, message: reading.message };
  };

/** A checked regular expression. */
export interface Pattern {
  /** The expression in the form the engine needs; see `sourceText`. */
  readonly text: string;
  readonly shape: RegexShape;
}

/** The regular expression an argument holds; undefined for null. */
export function patternOf(argument: LoweredArgument): Pattern | undefined {
  if (typeof argument.constant !== 'string') return undefined;
  const reading = readRegex(argument.constant);
  if (!reading.ok) throw new RangeError(reading.message);
  return { text: asWritten(reading.shape.tree), shape: reading.shape };
}

/** A regular expression for the engine, in which a dot would match line breaks without the flag. */
export const engineRegex = (text: string): Expr => literal(text.includes('.') ? `(?-s)${text}` : text);

/** A text as a regular expression that matches just it. */
export const quoteRegex = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
