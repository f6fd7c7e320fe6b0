import type { SearchField } from '../search-terms.js';
import { logQuery } from './logql.js';
import { isPromQuery, promQuery } from './promql.js';
import { splQuery } from './spl.js';
import { sqlQuery } from './sql.js';
import { TranslationError } from './translation-error.js';

/** Queries in other languages, pasted into the editor. */

/** Datasets and fields that names in a query may mean. */
export interface SourceNames {
  /** The dataset of a name: one that exists, or else the chosen one. */
  readonly dataset: (name: string | undefined) => string;
  /** Undefined if the fields are not known. */
  readonly fields: (dataset: string) => readonly SearchField[] | undefined;
}

/** A query of another language in APL, or the part that cannot be translated. */
export type Translation =
  | { readonly language: string; readonly apl: string; readonly dataset: string; readonly other: string | undefined }
  | { readonly language: string; readonly part: string; readonly elsewhere?: string };

interface Language {
  readonly title: string;
  /** Whether text is a query of this language rather than search words. */
  readonly recognizes: (text: string) => boolean;
  /** @throws TranslationError */
  readonly translate: (text: string, names: SourceNames) => string;
  /** Where to query what cannot be translated. */
  readonly elsewhere?: string;
}

const SQL = /^\s*(?:(?:--[^\n]*\n|\/\*[\s\S]*?\*\/)\s*)*(?:select\b[\s\S]+?\bfrom\s+[\w"`($]|with\s+\w+\s+as\s*\()/i;
/** Words such as `select a card from the list` are no SQL. */
const SQL_SIGNS = /\*|\(|,|=|"|`|;\s*$|\b(?:where|group\s+by|order\s+by|limit)\b|^\s*select\s+distinct\b|\bSELECT\b/;

/** Languages in the order in which they are tried. Adding one is a line. */
const languages: readonly Language[] = [
  { title: 'SQL', recognizes: (text) => SQL.test(text) && SQL_SIGNS.test(text), translate: sqlQuery },
  {
    title: 'PromQL',
    recognizes: isPromQuery,
    translate: (text, names) => {
      const dataset = names.dataset(undefined);
      return promQuery(text.trim(), dataset, names.fields(dataset));
    },
    elsewhere: 'Metrics are queried on the page Metrics.',
  },
  {
    title: 'LogQL',
    recognizes: (text) =>
      /^\s*(?:\{\s*[\w.]+\s*(?:=~|!~|!=|=)\s*["`]|[a-z_]+\s*(?:(?:by|without)\s*\([^)]*\)\s*)?\([\s\S]*\{\s*[\w.]+\s*(?:=~|!~|!=|=)\s*["`])/.test(
        text,
      ),
    translate: (text, names) => {
      const dataset = names.dataset(undefined);
      // The largest groups are those of the whole range, as in an instant query.
      const shape = /^\s*\{/.test(text) ? 'events' : /^\s*topk\b/.test(text) ? 'groups' : 'times';
      return logQuery(text.trim(), dataset, { shape, bins: 'literal', fields: names.fields(dataset) });
    },
  },
  { title: 'SPL', recognizes: isSpl, translate: splQuery },
];

/** Commands of SPL whose names are no operators of APL. */
const SPL_ONLY =
  /\|\s*(?:stats|timechart|eval|table|rex|head|dedup|chart|rename|rare|fields|fillnull|eventstats|streamstats|spath|transaction|inputlookup|tstats|bucket|sort\s+(?:[-+]|\d|(?!by\b)\w)|top\s+(?:limit=\d+\s+)?(?!\d+\s+by\b)\w)/i;

function isSpl(text: string): boolean {
  const outside = text.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""');
  return /^\s*(?:search\s+)?index\s*=\s*\S/i.test(outside) || SPL_ONLY.test(outside);
}

/** The APL of a query in another language; undefined for other text. */
export function translateText(
  text: string,
  chosen: string,
  datasets: readonly { readonly name: string; readonly fields: readonly SearchField[] }[],
): Translation | undefined {
  const language = languages.find((each) => each.recognizes(text));
  if (language === undefined) return undefined;
  let dataset = chosen;
  let other: string | undefined;
  const names: SourceNames = {
    dataset: (name) => {
      const last = name?.split('.').at(-1);
      const found = datasets.find((each) => each.name === name) ?? datasets.find((each) => each.name === last);
      other = found === undefined ? name : undefined;
      dataset = found?.name ?? chosen;
      return dataset;
    },
    fields: (name) => datasets.find((each) => each.name === name)?.fields,
  };
  try {
    return { language: language.title, apl: language.translate(text, names), dataset, other };
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error;
    const { title, elsewhere } = language;
    return { language: title, part: error.message, ...(elsewhere !== undefined && { elsewhere }) };
  }
}
