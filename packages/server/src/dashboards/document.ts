import { httpError } from '@millrace/api/errors';
import { type DashboardDocument, everyone } from '@millrace/api/schemas/dashboard';
import { membersOf, objectOf } from './json-text.js';

/**
 * Properties that the server manages. Clients that read, edit and write a document send them back,
 * and they are dropped.
 */
const managedProperties = ['id', 'version', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'];

/**
 * The stored text of a document: as sent, without properties that the server manages, and with an
 * owner.
 * @param owner as the document shows it
 */
export function storedText(sent: string, owner: string): string {
  const members = new Map(membersOf(sent));
  const unchanged =
    members.get('owner') === JSON.stringify(owner) && !managedProperties.some((name) => members.has(name));
  if (unchanged) return sent;
  for (const name of managedProperties) members.delete(name);
  return objectOf(members.set('owner', JSON.stringify(owner)));
}

/** Owner of a document; one client writes the name for all users in lower case. */
export const ownerOf = ({ owner = '' }: Pick<DashboardDocument, 'owner'>): string =>
  owner === '' || owner.toLowerCase() === everyone.toLowerCase() ? everyone : owner;

/**
 * Checks constraints that a schema cannot express.
 * @param size of the text in bytes
 * @throws HttpError `invalid-dashboard`
 */
export function checkDocument({ charts, layout }: DashboardDocument, size: number, max: number): void {
  const invalid = (problem: string) => httpError('invalid-dashboard', { problem });
  if (size > max)
    throw invalid(
      `its document has ${size} bytes, and MILLRACE_MAX_DASHBOARD_BYTES allows ${max}; divide it into several dashboards`,
    );
  const ids = new Map<string, number>();
  for (const [index, { id }] of charts.entries()) {
    const first = ids.get(id);
    if (first !== undefined)
      throw invalid(`charts ${first} and ${index} have the same id '${id}'; give each a different id`);
    ids.set(id, index);
  }
  for (const [index, { i }] of layout.entries()) {
    if (!ids.has(i))
      throw invalid(
        `layout ${index} is for the chart '${i}', which is not among the charts; take it out, or add that chart`,
      );
  }
}
