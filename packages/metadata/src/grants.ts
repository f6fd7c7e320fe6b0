import type { Capabilities } from '@millrace/api/schemas/capabilities';
import type { Connection } from './database.js';

/** Rights by name: to datasets, or to views. */
type NamedRights = 'datasetCapabilities' | 'viewCapabilities';

/**
 * Removes the rights on a name from all tokens and roles. Call it in the transaction that frees the
 * name: the next resource with the name is a different one, and tokens of the old one must not be
 * able to read it.
 */
export async function forgetGrants(connection: Connection, rights: NamedRights, name: string): Promise<void> {
  // `*` is no name but stands for all.
  if (name === '*') return;
  for (const { id, capabilities } of await connection.selectFrom('tokens').select(['id', 'capabilities']).execute()) {
    const left = without(capabilities, rights, name);
    if (left !== undefined)
      await connection.updateTable('tokens').set({ capabilities: left }).where('id', '=', id).execute();
  }
  const roles = connection.selectFrom('documents').select(['position', 'body']).where('collection', '=', 'roles');
  for (const { position, body } of await roles.execute()) {
    const left = without(body, rights, name);
    if (left !== undefined)
      await connection.updateTable('documents').set({ body: left }).where('position', '=', position).execute();
  }
}

/**
 * JSON text of capabilities, or of a role, without the rights on a name; `undefined` if it gives
 * none.
 */
function without(text: string, rights: NamedRights, name: string): string | undefined {
  const holder = JSON.parse(text) as Capabilities;
  const named = holder[rights];
  if (!Object.hasOwn(named, name)) return undefined;
  const { [name]: _, ...others } = named;
  return JSON.stringify({ ...holder, [rights]: others });
}
