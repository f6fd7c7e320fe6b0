import type { Catalog } from '../../../data/catalog.js';
import { datasetText, fieldText } from '../../../data/apl-text.js';
import { isNumber } from '../../../rows/known-fields.js';
import { type BoardDocument, queryOf } from './document.js';

type Dataset = Catalog['datasets'][number];

/** Fields for the query of a new element, in APL notation. */
export interface Hints {
  /** A low-cardinality field, or the most likely one. */
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
 * Dataset for a new element: the one the other elements use, or the first non-internal one with
 * events.
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
 * A query that shows something immediately; empty without datasets.
 * @param steps operators after the dataset, given its fields
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
