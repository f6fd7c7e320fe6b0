import { functionNamed } from '../../functions/index.js';
import { constantText } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import { apply } from '../calls/calls.js';
import { convertTo } from '../values/coerce.js';
import type { QueryContext } from '../context.js';

/**
 * Members of `parse_url` results have keys in lower case; Kusto's begin with a capital, and its
 * parameters are an object of their own, which `parse_urlquery` has too. Queries use either, so
 * both are found, also after the object has become a column.
 */

/** The functions whose results are looked up so. */
export type UrlFunction = 'parse_url' | 'parse_urlquery';

/** The keys of Kusto. */
const kustoKeys = ['Scheme', 'Host', 'Port', 'Path', 'Username', 'Password', 'Fragment'];
const PARAMETERS = 'Query Parameters';

/** The function that a value is a result of, if it is one of these. */
export function urlFunctionOf(scalar: Scalar, { urlColumns }: QueryContext): UrlFunction | undefined {
  if (scalar.kind === 'column') return urlColumns.get(scalar.id);
  if (scalar.kind !== 'call') return undefined;
  return scalar.name === 'parse_url' || scalar.name === 'parse_urlquery' ? scalar.name : undefined;
}

/**
 * The member of a URL that Kusto has under a key; undefined for other keys.
 * @param lookUp looks up another key
 */
export function urlMember(
  object: Scalar,
  index: Scalar,
  query: QueryContext,
  lookUp: (key: string) => Scalar,
): Scalar | undefined {
  const key = constantText(index);
  if (key === undefined || (key !== PARAMETERS && !kustoKeys.includes(key))) return undefined;
  const made = urlFunctionOf(object, query);
  if (made === undefined) return undefined;
  if (made === 'parse_urlquery') return key === PARAMETERS ? object : undefined;
  if (key !== PARAMETERS) return lookUp(key.toLowerCase());
  return apply(
    'parse_urlquery',
    functionNamed('parse_urlquery')!.overloads[0]!,
    [convertTo(lookUp('query'), 'string')],
    query,
  );
}
