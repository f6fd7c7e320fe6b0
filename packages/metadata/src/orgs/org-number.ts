/**
 * Numbers of organizations. All organizations of a server share its engine; the number is part of
 * each dataset ID, so that no two have a table of the same name. The first organization has the
 * number 0 and IDs from 1 on.
 */

/** Dataset IDs of one organization; the log stores an ID in 32 bits. */
export const idsPerOrg = 2 ** 20;
/** Secrets have three hexadecimal digits for it; see `secrets.ts`. */
export const maxOrgNumber = 0xfff;

/** The organization that a dataset ID belongs to. */
export const orgNumberOf = (datasetId: number): number => Math.floor(datasetId / idsPerOrg);

/** The ID below all dataset IDs of an organization. */
export const idBeforeFirst = (orgNumber: number): number => orgNumber * idsPerOrg;
