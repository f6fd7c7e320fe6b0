import { httpError } from '@millrace/api/errors';

const pattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$/;

/** Prefix of the datasets that the server fills itself. */
const ownPrefix = 'millrace-';
export const auditDataset = `${ownPrefix}audit`;

/** Aliases of datasets that the server fills, in other products. */
const otherNames: ReadonlyMap<string, string> = new Map([['axiom-audit', auditDataset]]);

/** The dataset that a query reads under a name: an alias of the audit log wins over any dataset. */
export const resolveDatasetName = (name: string): string => otherNames.get(name) ?? name;

/** Whether a name is reserved for the server; existing datasets and views keep their names. */
export const isReservedName = (name: string): boolean => /^(?:millrace-|axiom-|_)/i.test(name);

/** @throws HttpError `invalid-request` for a name that is reserved */
export function refuseReservedName(kind: 'dataset' | 'view', name: string): void {
  if (isReservedName(name))
    throw httpError('invalid-request', {
      problem: `'${name}' cannot be the name of a ${kind}: names that begin with "millrace-", "axiom-" or "_" are reserved; choose another name`,
    });
}

/**
 * Rejects invalid dataset names. Starting with a letter or digit keeps `_apl`, `_fields` and the
 * like free for paths.
 * @throws HttpError `invalid-request`
 */
export function checkDatasetName(name: string): void {
  if (!pattern.test(name)) {
    throw httpError('invalid-request', {
      problem: `'${name}' cannot be the name of a dataset: use 1 to 128 letters, digits, "-", "_" and ".", with a letter or digit at both ends`,
    });
  }
  refuseReservedName('dataset', name);
}

const mapFieldPattern = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/;

/** @throws HttpError `invalid-request` */
export function checkMapFieldName(name: string): void {
  if (!mapFieldPattern.test(name) || name.length > 200) {
    throw httpError('invalid-request', {
      problem: `'${name}' cannot be a map field: use up to 200 letters, digits, "_", "." and "-", with a letter or digit at both ends`,
    });
  }
}

/**
 * Rejects changes to the audit log: neither its records nor its schema may change.
 * @param done to the dataset, for the message: `deleted`
 * @throws HttpError `protected-resource`
 */
export function refuseAudit(name: string, done: string): void {
  if (name === auditDataset) throw httpError('protected-resource', { reason: `the audit log cannot be ${done}` });
}
