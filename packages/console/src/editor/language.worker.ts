/// <reference lib="webworker" />
import { complete, diagnose, format, hover, signatureHelp } from '@millrace/apl/editor';
import { catalogueOf } from './catalog-snapshot.js';
import type { FromLanguage, LanguageAnswers, LanguageKind, ToLanguage } from './language-messages.js';
import { isApl } from './is-apl.js';
import { outlineOf } from './outline.js';

/** Language service off the main thread: typing never waits for it. */

let catalogue = catalogueOf({ datasets: [], views: [] });
/** Without a catalog every name would be unknown. */
let hasCatalog = false;

const answers: { readonly [Kind in LanguageKind]: (text: string, offset: number) => LanguageAnswers[Kind] } = {
  complete: (text, offset) => complete(text, offset, catalogue).slice(0, 200),
  hover: (text, offset) => hover(text, offset, catalogue),
  signature: signatureHelp,
  diagnose: (text) => (text.trim() === '' || !hasCatalog ? [] : diagnose(text, catalogue)),
  format: (text) => format(text).text,
  outline: outlineOf,
  isApl: (text) => isApl(text, hasCatalog ? catalogue.names : undefined),
};

globalThis.addEventListener('message', ({ data }: MessageEvent<ToLanguage>) => {
  if (data.kind === 'know') {
    catalogue = catalogueOf(data.known);
    hasCatalog = true;
    return;
  }
  const reply = (answer: FromLanguage['answer']): void =>
    globalThis.postMessage({ ask: data.ask, answer } satisfies FromLanguage);
  try {
    reply(answers[data.kind](data.text, data.offset));
  } catch {
    // A failed request must not break the editor.
    reply(undefined);
  }
});
