import { column, item, literal, quoteIdentifier, select } from '@millrace/sql';
import type { Select } from '@millrace/sql';
import type { ExternalPlan } from '../plan/nodes.js';
import { clickhouseType } from '../types.js';
import { emptyRelation } from './relation.js';
import type { Relation } from './relation.js';

/** A table read from an address; the host has been allowed. */
export function external(plan: ExternalPlan): Relation {
  const { url, format, columns } = plan;
  const structure = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${clickhouseType[type]}`).join(', ');
  // A select of its own, because other tables of the query, including those inside expressions, are read with other settings.
  const query: Select = {
    ...select({
      // Not under its own name: a `_time` would be taken for that of a dataset.
      columns: columns.map(({ name, id }) => item(column(name), id)),
      from: { kind: 'function', name: 'url', args: [literal(asOne(url)), literal(format), literal(structure)] },
    }),
    settings: readingSettings(plan),
  };
  return {
    ...emptyRelation,
    from: { kind: 'subquery', query },
    columns: new Map(columns.map(({ id }) => [id, column(id)])),
  };
}

/** Settings for reading the table. No redirects, because they could lead to a host that is not allowed. */
const readingSettings = ({ delimiter, skipFirst }: ExternalPlan): NonNullable<Select['settings']> => ({
  max_http_get_redirects: 0,
  date_time_input_format: 'best_effort',
  input_format_csv_skip_first_lines: skipFirst ? 1 : 0,
  ...(delimiter === undefined ? {} : { format_csv_delimiter: delimiter }),
});

/** The address in a form in which the engine, too, finds one: it takes `|`, braces and stars for ways to write several. */
const asOne = (url: string): string =>
  url.replaceAll(/[|{}*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
