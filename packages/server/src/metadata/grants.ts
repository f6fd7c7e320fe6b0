import type { Capabilities } from '../schemas/capabilities.js';
import type { Connection } from './database.js';

/** Rights that are given by name: to datasets, or to views. */
type NamedRights = 'datasetCapabilities' | 'viewCapabilities';

/**
 * Takes the rights on a name out of all tokens and roles. Call it in the transaction that frees the
 * name: what gets the name next is something else, and those who could read the old one must not be
 * able to read the new one.
 */
export async function forgetGrants(connection: Connection, rights: NamedRights, name: string): Promise<void> {
  // Not a name, but the sign that stands for all of them.
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
