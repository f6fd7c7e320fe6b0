/// <reference lib="webworker" />
import {
  complete,
  diagnose,
  editorCatalog,
  type EditorDataset,
  format,
  hover,
  signatureHelp,
} from '@millrace/apl/editor';
import type {
  FromLanguage,
  LanguageAnswers,
  LanguageKind,
  TextInterpretation,
  ToLanguage,
} from './language-messages.js';
import { isApl } from './is-apl.js';
import { outlineOf } from './outline.js';
import { translateText } from './translate/languages.js';

/** Language service off the main thread: typing never waits for it. */

let catalog = editorCatalog({ datasets: [], views: [] });
/** Without a catalog every name would be unknown. */
let hasCatalog = false;
let datasets: readonly EditorDataset[] = [];

type Answer<Kind extends LanguageKind> = (
  text: string,
  offset: number,
  dataset: string | undefined,
) => LanguageAnswers[Kind];

function readingOf(text: string, chosen: string | undefined): TextInterpretation {
  const translation = chosen === undefined ? undefined : translateText(text, chosen, datasets);
  if (translation !== undefined) return { kind: 'foreign', translation };
  return { kind: isApl(text, hasCatalog ? catalog.names : undefined) ? 'apl' : 'search' };
}

const answers: { readonly [Kind in LanguageKind]: Answer<Kind> } = {
  complete: (text, offset) => complete(text, offset, catalog).slice(0, 200),
  hover: (text, offset) => hover(text, offset, catalog),
  signature: signatureHelp,
  diagnose: (text) => (text.trim() === '' || !hasCatalog ? [] : diagnose(text, catalog)),
  format: (text) => format(text).text,
  outline: outlineOf,
  reading: (text, _offset, dataset) => readingOf(text, dataset),
};

globalThis.addEventListener('message', ({ data }: MessageEvent<ToLanguage>) => {
  if (data.kind === 'know') {
    catalog = editorCatalog(data.known);
    hasCatalog = true;
    ({ datasets } = data.known);
    return;
  }
  const reply = (answer: FromLanguage['answer']): void =>
    globalThis.postMessage({ ask: data.ask, answer } satisfies FromLanguage);
  try {
    reply(answers[data.kind](data.text, data.offset, data.dataset));
  } catch {
    // A failed request must not break the editor.
    reply(undefined);
  }
});
