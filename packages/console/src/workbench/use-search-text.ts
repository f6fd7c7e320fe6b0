import { useCallback, useEffect, useState } from 'react';
import { existsDataset, useCatalogue } from '../data/catalog.js';
import { askLanguage, catalogVersionStore } from '../editor/language.js';
import { typedSearchToApl } from '../editor/search-syntax.js';

/** Without an answer of the language worker in this time, text counts as a query. */
const ANSWER_MILLISECONDS = 1000;

/** Search text in the editor, and the query that it means. */
export interface SearchText {
  /** The query, if the text is a search. */
  readonly apl: string | undefined;
  /** What to run for the text: a query as it is, a search in APL. */
  readonly resolve: () => Promise<string>;
}

/** Reads text as a search over a dataset unless it is APL. */
export function useSearchText(text: string, dataset: string | undefined): SearchText {
  const datasets = useCatalogue()?.datasets;
  const [read, setRead] = useState<{ readonly text: string; readonly isApl: boolean }>();
  useEffect(() => {
    let wanted = true;
    const look = async (): Promise<void> => {
      const isApl = await askIsApl(text);
      if (wanted) setRead({ text, isApl });
    };
    void look();
    // Names are datasets only once the catalog is known.
    const unsubscribe = catalogVersionStore.subscribe(() => void look());
    return () => {
      wanted = false;
      unsubscribe();
    };
  }, [text]);
  const translated = useCallback(
    () => (dataset === undefined || datasets === undefined ? undefined : typedSearchToApl(text, dataset, datasets)),
    [dataset, datasets, text],
  );
  const resolve = useCallback(async () => {
    if (await askIsApl(text)) return text;
    const name = text.trim();
    // A new dataset is a query, not a word.
    if (/^[\w.-]+$/.test(name) && (await existsDataset(name))) return text;
    return translated() ?? text;
  }, [text, translated]);
  return { apl: read?.text === text && !read.isApl ? translated() : undefined, resolve };
}

const askIsApl = (text: string): Promise<boolean> =>
  Promise.race([
    askLanguage('isApl', text).then((isApl) => isApl !== false),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(true), ANSWER_MILLISECONDS)),
  ]);
