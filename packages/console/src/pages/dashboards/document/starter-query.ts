import type { Catalogue } from '../../../data/catalogue.js';
import { datasetText, fieldText } from '../../../data/apl-text.js';
import { isNumber } from '../../../rows/known-fields.js';
import { type BoardDocument, queryOf } from './document.js';

type Dataset = Catalogue['datasets'][number];

/** Fields that the query of a new element can be about, as they are written in queries. */
export interface Hints {
  /** Has few values, or is the likeliest to. */
  readonly group: string | undefined;
  readonly numbers: readonly string[];
}

const GROUPS = ['service', 'service.name', 'level', 'severity_text', 'status', 'status.code', 'method', 'host', 'name'];
const NUMBERS = ['duration_ms', 'duration', 'latency', 'bytes', 'size'];

const likeliest = (names: readonly string[], wanted: readonly string[]): readonly string[] =>
  [...wanted.filter((name) => names.includes(name)), ...names.filter((name) => !wanted.includes(name))].map(fieldText);

function hintsOf(fields: Dataset['fields']): Hints {
  const own = fields.filter(({ name, hidden }) => !name.startsWith('_') && !hidden);
  const texts = own.filter(({ name, type }) => type === 'string' || GROUPS.includes(name)).map(({ name }) => name);
  const numbers = own.filter(({ name, type }) => isNumber(type) && !GROUPS.includes(name)).map(({ name }) => name);
  return { group: likeliest(texts, GROUPS)[0], numbers: likeliest(numbers, NUMBERS) };
}

/**
 * The dataset that a new element of a board is about: that of the others, else the first with
 * events of people.
 */
function datasetFor({ charts }: BoardDocument, datasets: readonly Dataset[]): Dataset | undefined {
  const own = datasets.filter(({ name, locked }) => !locked && !name.startsWith('millrace-'));
  const last = charts.flatMap((chart) => {
    const query = queryOf(chart);
    return 'apl' in query ? [query.apl] : [];
  });
  const used = own.filter(({ name }) => last.at(-1)?.includes(name) === true);
  return (
    used.toSorted((a, b) => b.name.length - a.name.length)[0] ?? own.find(({ fields }) => fields.length > 2) ?? own[0]
  );
}

/**
 * A query that shows something at once, to be changed; empty where there is no dataset.
 * @param steps behind the dataset, by the fields that it has
 */
export function starterQuery(
  document: BoardDocument,
  datasets: readonly Dataset[],
  steps: (hints: Hints) => string,
): string {
  const dataset = datasetFor(document, datasets);
  if (dataset === undefined) return '';
  const behind = steps(hintsOf(dataset.fields));
  return `${datasetText(dataset.name)}${behind === '' ? '' : `\n| ${behind.replaceAll(' | ', '\n| ')}`}`;
}
