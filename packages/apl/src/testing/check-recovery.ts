import { parse } from '../syntax/parse.js';
import { findings, applyFixes, oneForm } from './check-syntax.js';

/** Text, findings, and the text with every fix applied if there are any. */
export type RecoveryCase = readonly [text: string, findings: readonly string[], fixed?: string];

interface Recovery {
  readonly findings: readonly string[];
  readonly fixed: string;
  /** Findings of the text with every fix applied. */
  readonly remaining: readonly string[];
  /** Messages that do not have the form of all messages. */
  readonly malformed: readonly string[];
}

/** The recovery that a case expects, with its text for the title of `test.each`. */
export const expectedRecovery = ([text, found, mended]: RecoveryCase): Recovery & { readonly text: string } => ({
  text,
  findings: found,
  fixed: mended ?? text,
  remaining: mended === undefined ? found : [],
  malformed: [],
});

/** The parser's findings and tree for an invalid text. */
export const recoveryOf = (text: string): Recovery => ({
  findings: findings(text),
  fixed: applyFixes(text),
  remaining: findings(applyFixes(text)),
  malformed: parse(text).diagnostics.flatMap(({ message }) => (oneForm.test(message) ? [] : [message])),
});
