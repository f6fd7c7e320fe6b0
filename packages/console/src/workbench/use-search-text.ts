import { useCallback, useEffect, useState } from 'react';
import { existsDataset, useCatalog } from '../data/catalog.js';
import { askLanguage, catalogVersionStore } from '../editor/language.js';
import type { TextInterpretation } from '../editor/language-messages.js';
import { typedSearchToApl } from '../editor/search-syntax.js';
import type { Translation } from '../editor/translate/languages.js';

/** Without an answer of the language worker in this time, text counts as a query. */
const ANSWER_MILLISECONDS = 1000;

/** What text that is no APL means: search words, or a query of another language. */
export type Offer =
  | { readonly kind: 'search'; readonly apl: string }
  | { readonly kind: 'foreign'; readonly translation: Translation };

/** Text in the editor that is no APL, and the query that it means. */
export interface SearchText {
  readonly offer: Offer | undefined;
  /** The query of the offer, if it has one. */
  readonly apl: string | undefined;
  /**
   * What to run for the text: a query as it is, other text in APL; undefined for what cannot be
   * translated.
   */
  readonly resolve: () => Promise<string | undefined>;
}

/** Reads text as a search over a dataset, or as a query of another language, unless it is APL. */
export function useSearchText(text: string, dataset: string | undefined): SearchText {
  const datasets = useCatalog()?.datasets;
  const [read, setRead] = useState<{ readonly text: string; readonly reading: TextInterpretation }>();
  useEffect(() => {
    let wanted = true;
    const look = async (): Promise<void> => {
      const reading = await askReading(text, dataset);
      if (wanted) setRead({ text, reading });
    };
    void look();
    // Names are datasets only once the catalog is known.
    const unsubscribe = catalogVersionStore.subscribe(() => void look());
    return () => {
      wanted = false;
      unsubscribe();
    };
  }, [text, dataset]);
  const offerFor = useCallback(
    (reading: TextInterpretation): Offer | undefined => {
      if (reading.kind === 'apl' || dataset === undefined || datasets === undefined) return undefined;
      if (reading.kind === 'foreign') return reading;
      return { kind: 'search', apl: typedSearchToApl(text, dataset, datasets) };
    },
    [dataset, datasets, text],
  );
  const resolve = useCallback(async () => {
    const reading = await askReading(text, dataset);
    if (reading.kind === 'apl') return text;
    const name = text.trim();
    // A new dataset is a query, not a word.
    if (/^[\w.-]+$/.test(name) && (await existsDataset(name))) return text;
    const offer = offerFor(reading);
    return offer === undefined ? text : aplOf(offer);
  }, [text, dataset, offerFor]);
  const offer = read?.text === text ? offerFor(read.reading) : undefined;
  return { offer, apl: offer && aplOf(offer), resolve };
}

function aplOf(offer: Offer): string | undefined {
  if (offer.kind === 'search') return offer.apl;
  return 'apl' in offer.translation ? offer.translation.apl : undefined;
}

const askReading = (text: string, dataset: string | undefined): Promise<TextInterpretation> =>
  Promise.race([
    askLanguage('reading', text, 0, dataset).then((reading) => reading ?? { kind: 'apl' as const }),
    new Promise<TextInterpretation>((resolve) => setTimeout(() => resolve({ kind: 'apl' }), ANSWER_MILLISECONDS)),
  ]);
