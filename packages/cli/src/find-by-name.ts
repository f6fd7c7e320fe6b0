import { Failure, usage } from './failure.js';

/** Resources that files refer to by name. */

interface NamedRecord {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds a resource by ID or unique name.
 * @throws Failure `usage` if several have the name
 */
export function findNamed<T extends NamedRecord>(all: readonly T[], kind: string, idOrName: string): T | undefined {
  const found = all.find(({ id }) => id === idOrName);
  if (found !== undefined) return found;
  const [first, ...others] = all.filter(({ name }) => name === idOrName);
  if (first !== undefined && others.length > 0)
    throw usage(
      `${others.length + 1} ${kind}s are called '${idOrName}': give the id of the one you mean, ${first.id} or ${others.map(({ id }) => id).join(' or ')}`,
    );
  return first;
}

/** @throws Failure `not-found`, `usage` */
export function namedOf<T extends NamedRecord>(all: readonly T[], kind: string, idOrName: string): T {
  const found = findNamed(all, kind, idOrName);
  if (found === undefined)
    throw new Failure('not-found', `${kind} '${idOrName}' not found; list all with millrace ${kind} list`);
  return found;
}

/** Strips the properties that the server sets. */
export function withoutRecord<T extends NamedRecord>(
  resource: T & { readonly createdAt: string; readonly createdBy: string; readonly updatedAt: string },
) {
  const { id: _, createdAt: _at, createdBy: _by, updatedAt: _updated, ...written } = resource;
  return written;
}
