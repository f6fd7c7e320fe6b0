import { httpError } from '@millrace/api/errors';
import type { Capabilities } from '@millrace/api/schemas/capabilities';
import { builtInRole } from '@millrace/http/access/roles';
import type { Metadata } from '@millrace/metadata/metadata';

/**
 * ID and capabilities of the role that a request refers to by ID or name.
 * @throws HttpError `not-found`
 */
export async function getRole(
  idOrName: string,
  roles: Metadata['roles'],
): Promise<{ readonly id: string; readonly capabilities: Capabilities }> {
  const builtIn = builtInRole(idOrName);
  if (builtIn !== undefined) return builtIn;
  const custom = (await roles.find('id', idOrName)) ?? (await roles.find('unique_key', idOrName));
  if (custom === undefined) throw httpError('not-found', { kind: 'role', name: idOrName });
  return { id: custom.id, capabilities: custom };
}
