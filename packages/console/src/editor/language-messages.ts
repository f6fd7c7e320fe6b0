import type { Completion, EditorDiagnostic, EditorNames, Hover, SignatureHelp } from '@millrace/apl/editor';
import type { Outline } from './outline.js';
import type { Translation } from './translate/languages.js';

/** What text in the editor is: a query, search words, or a query of another language. */
export type TextInterpretation =
  | { readonly kind: 'apl' | 'search' }
  | { readonly kind: 'foreign'; readonly translation: Translation };

/** Messages between the page and the language worker. */
export interface LanguageAnswers {
  readonly complete: readonly Completion[];
  readonly hover: Hover | undefined;
  readonly signature: SignatureHelp | undefined;
  readonly diagnose: readonly EditorDiagnostic[];
  readonly format: string;
  readonly outline: Outline;
  readonly reading: TextInterpretation;
}

export type LanguageKind = keyof LanguageAnswers;

export type ToLanguage =
  | { readonly kind: 'know'; readonly known: EditorNames }
  | {
      readonly kind: LanguageKind;
      readonly ask: number;
      readonly text: string;
      readonly offset: number;
      /** The chosen dataset, for text that names none. */
      readonly dataset: string | undefined;
    };

export interface FromLanguage {
  readonly ask: number;
  readonly answer: LanguageAnswers[LanguageKind] | undefined;
}
