import { httpError } from '@millrace/api/errors';
import { requestBounds } from '@millrace/api/limits';
import { isObject, memberOf, textOf } from './scim-body.js';

/** One change of a PATCH request. */
export interface ScimChange {
  readonly op: 'add' | 'replace' | 'remove';
  /** Attribute, such as `name.givenName`; in lower case. */
  readonly attribute: string;
  /** The value in a filter behind the attribute: `members[value eq "x"]`. */
  readonly filtered?: string;
  readonly value: unknown;
}

const maxChanges = requestBounds.scimChanges.max;

/**
 * The changes of a PATCH request. Operations without a path have an object of attributes as their
 * value, as Okta sends them; Entra sends a path, and names operations in capitals.
 * @throws HttpError `invalid-request`
 */
export function changesIn(body: unknown): readonly ScimChange[] {
  const operations = memberOf(body, 'Operations');
  if (!Array.isArray(operations)) throw invalid("'Operations' must be a list");
  const changes = operations.flatMap(changesOf);
  if (changes.length > maxChanges) throw invalid(`the request has more than ${maxChanges} changes; send several`);
  return changes;
}

function changesOf(operation: unknown): readonly ScimChange[] {
  const op = textOf(memberOf(operation, 'op'), 'op')?.toLowerCase();
  if (op !== 'add' && op !== 'replace' && op !== 'remove') throw invalid("'op' must be add, replace or remove");
  const path = textOf(memberOf(operation, 'path'), 'path');
  const value = memberOf(operation, 'value');
  if (path !== undefined) return [{ op, ...targetOf(path), value }];
  if (!isObject(value)) throw invalid("an operation without 'path' needs an object as its value");
  return Object.entries(value).map(([name, member]) => ({ op, ...targetOf(name), value: member }));
}

/** `emails[type eq "work"].value` is the attribute `emails.value`. */
function targetOf(path: string): Pick<ScimChange, 'attribute' | 'filtered'> {
  const core = path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '');
  const match = /^([\w$-]+)\[\s*(\w+)\s+eq\s+"?([^"\]]*)"?\s*\](\.\w+)?$/i.exec(core);
  if (match === null) return { attribute: core.toLowerCase() };
  const [, name = '', by = '', filtered = '', rest = ''] = match;
  const attribute = (name + rest).toLowerCase();
  return by.toLowerCase() === 'value' ? { attribute, filtered } : { attribute };
}

const invalid = (problem: string) => httpError('invalid-request', { problem });
