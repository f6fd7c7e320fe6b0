import type { Connection } from '../metadata/database.js';
import type { DashboardContent, DashboardRecord, DashboardStore } from '../metadata/dashboards.js';
import { everyone } from '../schemas/dashboard.js';
import { keptText } from './document.js';

/**
 * Gives the private dashboards of a user who is removed to everyone: nobody could see or delete
 * them otherwise. Call it before, and again with the transaction that removes the user.
 */
export const leaveDashboards = (
  dashboards: DashboardStore,
  user: string,
  author: string,
  connection?: Connection,
): Promise<void> =>
  connection === undefined
    ? dashboards.rewriteOwned(user, author, forEveryone)
    : dashboards.rewriteRest(user, author, forEveryone, connection);

const forEveryone = ({ name, document }: DashboardRecord): DashboardContent => ({
  owner: everyone,
  name,
  document: keptText(document, everyone),
  message: 'its owner was removed',
});
