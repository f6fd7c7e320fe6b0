import { httpError } from '@millrace/api/errors';
import { requestBounds } from '@millrace/api/limits';

/** Filters and pages of SCIM lists. */

export interface ScimFilter {
  /** In lower case. */
  readonly attribute: string;
  readonly value: string;
}

/**
 * Reads `attribute eq "value"`, the only form that providers send.
 * @throws HttpError `invalid-request` for other filters
 */
export function filterIn(text: string | undefined): ScimFilter | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const match = /^\s*([\w.:]+)(?:\[[^\]]*\](\.\w+)?)?\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*$/i.exec(text);
  if (match === null)
    throw httpError('invalid-request', { problem: 'only filters of the form attribute eq "value" are supported' });
  const [, attribute = '', rest = '', value = ''] = match;
  return {
    attribute: (attribute + rest).toLowerCase(),
    value: value.startsWith('"') ? (JSON.parse(value) as string) : value.toLowerCase(),
  };
}

interface Page {
  /** From 1 on. */
  readonly startIndex?: string | undefined;
  readonly count?: string | undefined;
}

const largest = requestBounds.scimPage.max;

/** The response with a page of a list. */
export async function listResponse<T>(
  all: readonly T[],
  { startIndex, count }: Page,
  view: (each: T) => Promise<object>,
): Promise<object> {
  const start = Math.max(1, integerOf(startIndex, 'startIndex') ?? 1);
  const size = Math.min(largest, Math.max(0, integerOf(count, 'count') ?? largest));
  const page = all.slice(start - 1, start - 1 + size);
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: all.length,
    startIndex: start,
    itemsPerPage: page.length,
    Resources: await Promise.all(page.map(view)),
  };
}

function integerOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw httpError('invalid-request', { problem: `'${name}' must be an integer` });
  return Number(text);
}
