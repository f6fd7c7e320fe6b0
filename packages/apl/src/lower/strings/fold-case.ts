import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';

/**
 * Folds a string for case-insensitive comparison. In lower case there are two forms of sigma, one
 * for the end of a word.
 */
export const foldedCase = (text: Expr): Expr => call('replaceAll', call('lowerUTF8', text), literal('ς'), literal('σ'));

/** `foldedCase` of a constant. */
export const foldedText = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/** Whether a text has a letter with more than one lower case. */
export const hasSigma = (text: string): boolean => /[Σσς]/.test(text);
