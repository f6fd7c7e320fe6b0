import type { Connection } from '../metadata/database.js';
import type { DashboardStore } from '../metadata/dashboards.js';
import { everyone } from '../schemas/dashboard.js';
import { keptText } from './document.js';

/**
 * Gives the private dashboards of a user who is removed to everyone: nobody could see or delete
 * them otherwise.
 * @param connection the transaction that removes the user
 */
export const leaveDashboards = (
  dashboards: DashboardStore,
  user: string,
  author: string,
  connection: Connection,
): Promise<void> =>
  dashboards.rewriteOwned(
    user,
    author,
    ({ name, document }) => ({
      owner: everyone,
      name,
      document: keptText(document, everyone),
      message: 'its owner was removed',
    }),
    connection,
  );
