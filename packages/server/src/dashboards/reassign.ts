import type { Connection } from '@millrace/metadata/database';
import type { DashboardContent, DashboardRecord, DashboardStore } from '@millrace/metadata/dashboards';
import { everyone } from '@millrace/api/schemas/dashboard';
import { storedText } from './document.js';

/**
 * Makes the private dashboards of a deleted user public: otherwise no user could see or delete
 * them. Call it before the transaction that deletes the user, and again inside it.
 */
export const reassignDashboards = (
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
  document: storedText(document, everyone),
  message: 'its owner was removed',
});
