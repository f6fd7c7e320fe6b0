import type { Scalar } from '../../plan/scalar.js';
import { constantText } from '../../plan/scalar.js';
import type { QueryContext } from '../context.js';

/**
 * Members of `parse_url` results have keys in lower case; Kusto's begin with a capital. Queries use
 * either, so both are found, also after the object has become a column.
 */

/** The keys of Kusto. */
const kustoKeys = ['Scheme', 'Host', 'Port', 'Path', 'Username', 'Password', 'Fragment'];

/** Whether a value is a result of `parse_url`. */
export const isUrl = (scalar: Scalar, { urlColumns }: QueryContext): boolean =>
  scalar.kind === 'column' ? urlColumns.has(scalar.id) : scalar.kind === 'call' && scalar.name === 'parse_url';

/** The key that a member of a URL has here; undefined if it is that already. */
export function urlKey(object: Scalar, index: Scalar, query: QueryContext): string | undefined {
  const key = constantText(index);
  return key !== undefined && kustoKeys.includes(key) && isUrl(object, query) ? key.toLowerCase() : undefined;
}
