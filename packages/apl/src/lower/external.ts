import { column, literal, quoteIdentifier } from '@millrace/sql';
import type { ExternalPlan, Plan } from '../plan/nodes.js';
import { inputsOf } from '../plan/nodes.js';
import { clickhouseType } from '../types.js';
import { emptyRelation } from './relation.js';
import type { Relation } from './relation.js';

/** A table read from an address; the host has been allowed. */
export function external({ url, format, columns }: ExternalPlan): Relation {
  const structure = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${clickhouseType[type]}`).join(', ');
  return {
    ...emptyRelation,
    from: { kind: 'function', name: 'url', args: [literal(url), literal(format), literal(structure)] },
    columns: new Map(columns.map(({ name, id }) => [id, column(name)])),
  };
}

/** Settings that say how texts from elsewhere are read. No redirects: they could lead to a host that is not allowed. */
export function externalSettings(plan: Plan): Readonly<Record<string, string | number>> {
  if (plan.kind === 'external') {
    const { delimiter, skipFirst } = plan;
    return {
      max_http_get_redirects: 0,
      date_time_input_format: 'best_effort',
      input_format_csv_skip_first_lines: skipFirst ? 1 : 0,
      ...(delimiter === undefined ? {} : { format_csv_delimiter: delimiter }),
    };
  }
  return Object.assign({}, ...inputsOf(plan).map(externalSettings)) as Record<string, string | number>;
}
