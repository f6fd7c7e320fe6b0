import { type Engine, engineOfTenant } from '@millrace/engine';
import { orgNumberOf } from '@millrace/metadata/orgs/org-number';

/** The database of the tables of the first organization. */
export const database = 'millrace';

/** The database of the tables of an organization. */
const databaseOfOrg = (orgNumber: number): string => (orgNumber === 0 ? database : `${database}_${orgNumber}`);

/** The database with the tables of a dataset. */
export const databaseOf = (datasetId: number): string => databaseOfOrg(orgNumberOf(datasetId));

/** The database with all tables that an engine shows. */
export const databaseIn = ({ tenant = 0 }: Engine): string => databaseOfOrg(tenant);

/** The engine as an organization sees it. */
export const engineOfOrg = (engine: Engine, orgNumber: number): Engine =>
  orgNumber === 0 ? engine : engineOfTenant(engine, orgNumber, databaseOfOrg(orgNumber));
