import { consoleUrl } from './address/console-path.js';

/**
 * The organization that this tab shows, for people who are members of several. Without a choice it
 * is the one that the session began in.
 */

const entry = 'millrace.organization';

/** Each tab keeps its own, also that it has none; new tabs begin with the last choice. */
function read(): string | undefined {
  try {
    const id = sessionStorage.getItem(entry) ?? localStorage.getItem(entry) ?? '';
    sessionStorage.setItem(entry, id);
    return id === '' ? undefined : id;
  } catch {
    return undefined;
  }
}

let chosenId = read();

export const chosenOrganization = (): string | undefined => chosenId;

/** Names the organization in a request. */
export const orgHeader = (id: string | undefined): Readonly<Record<string, string>> =>
  id === undefined ? {} : { 'x-axiom-org-id': id };

/** Reloads the page, so that no data of the previous organization stays in memory. */
export function switchOrganization(id: string): void {
  for (const place of [sessionStorage, localStorage]) place.setItem(entry, id);
  location.assign(consoleUrl);
}

/** The session, or the person's membership, is over. */
export function forgetOrganization(): void {
  chosenId = undefined;
  try {
    sessionStorage.setItem(entry, '');
    localStorage.removeItem(entry);
  } catch {
    // Nothing is stored.
  }
}
