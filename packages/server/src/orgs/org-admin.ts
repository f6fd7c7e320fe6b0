import type { OrgLimits } from '@millrace/api/schemas/org';
import type { OrgRecord } from '@millrace/metadata/orgs/org';

/** An organization as the server's administrator sees it. */
export interface ListedOrg {
  readonly record: OrgRecord;
  readonly ownerEmail: string;
  readonly limits: OrgLimits;
  readonly usage: { readonly ingestedToday: number; readonly stored: number };
}

/** Administration of the organizations of a server beyond the first. */
export interface OrgAdmin {
  /** How many organizations could not be opened at the last attempt. */
  readonly closedCount: number;
  /** Without those that cannot be opened. */
  list(): Promise<readonly ListedOrg[]>;
  /** @throws HttpError `not-found` */
  get(id: string): Promise<ListedOrg>;
  /**
   * Creates an organization. A crash before the last step leaves nothing of it after the next
   * start.
   * @returns the secret of its owner, which is shown once
   * @throws HttpError `quota-reached`, `protected-resource`
   */
  create(name: string, limits: OrgLimits): Promise<{ readonly id: string; readonly ownerToken: string }>;
  /** @throws HttpError `not-found` */
  setLimits(id: string, limits: OrgLimits): Promise<void>;
  /**
   * Deletes an organization with all of its data. From now on its tokens are unknown, also after a
   * crash, which the next start continues from.
   * @throws HttpError `not-found`
   */
  remove(id: string): Promise<void>;
}
