import { Failure, usage } from './failure.js';

/** Resources that files name by what people call them. */

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * The resource with this id, or the only one with this name; undefined if there is none.
 * @throws Failure `usage` if several have the name
 */
export function findNamed<T extends Named>(all: readonly T[], kind: string, idOrName: string): T | undefined {
  const found = all.find(({ id }) => id === idOrName);
  if (found !== undefined) return found;
  const [first, ...others] = all.filter(({ name }) => name === idOrName);
  if (first !== undefined && others.length > 0)
    throw usage(`${others.length + 1} ${kind}s are called '${idOrName}': give the id of the one you mean, ${first.id} or ${others.map(({ id }) => id).join(' or ')}`); // prettier-ignore
  return first;
}

/** @throws Failure `not-found`, `usage` */
export function namedOf<T extends Named>(all: readonly T[], kind: string, idOrName: string): T {
  const found = findNamed(all, kind, idOrName);
  if (found === undefined) throw new Failure('not-found', `no ${kind} has the id or name '${idOrName}'; millrace ${kind} list shows all`); // prettier-ignore
  return found;
}

/** What the server sets, and no file holds. */
export function withoutRecord<T extends Named>(
  resource: T & { readonly createdAt: string; readonly createdBy: string; readonly updatedAt: string },
) {
  const { id: _, createdAt: _at, createdBy: _by, updatedAt: _updated, ...written } = resource;
  return written;
}
