import type { Catalog } from '../data/catalog.js';
import { startWorker } from '../data/start-worker.js';
import { createStore } from '../data/store.js';
import type { FromLanguage, LanguageAnswers, LanguageKind, ToLanguage } from './language-messages.js';
import languageUrl from './language.worker.ts?worker&url';

/** Client of the language worker. */

let worker: Worker | undefined;
let lastAsk = 0;
/** Version of the catalog: diagnostics of earlier versions may be outdated. */
export const catalogVersionStore = createStore(0);
const pendingRequests = new Map<number, (answer: FromLanguage['answer']) => void>();

function language(): Worker {
  if (worker !== undefined) return worker;
  const started = startWorker(languageUrl);
  started.addEventListener('message', ({ data }: MessageEvent<FromLanguage>) => {
    pendingRequests.get(data.ask)?.(data.answer);
    pendingRequests.delete(data.ask);
  });
  worker = started;
  return started;
}

/** Undefined if there is no result. */
export function askLanguage<Kind extends LanguageKind>(
  kind: Kind,
  text: string,
  offset = 0,
  dataset?: string,
): Promise<LanguageAnswers[Kind] | undefined> {
  return new Promise((resolve) => {
    const ask = ++lastAsk;
    pendingRequests.set(ask, resolve as (answer: FromLanguage['answer']) => void);
    language().postMessage({ kind, ask, text, offset, dataset } satisfies ToLanguage);
  });
}

/** Sets datasets and fields. */
export function tellLanguage({ datasets, views, virtualFields }: Catalog): void {
  const known = {
    datasets: datasets.map(({ name, fields, mapFields }) => ({
      name,
      fields: fields.map((field) => ({ name: field.name, type: field.type })),
      mapFields,
      virtualFields: virtualFields
        .filter(({ dataset }) => dataset === name)
        .map((each) => [each.name, each.expression] as const),
    })),
    views: views.map(({ name, aplQuery }) => [name, aplQuery] as const),
  };
  language().postMessage({ kind: 'know', known } satisfies ToLanguage);
  catalogVersionStore.set(catalogVersionStore.get() + 1);
}
