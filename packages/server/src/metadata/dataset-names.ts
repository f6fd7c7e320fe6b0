import { httpError } from '../errors.js';

const pattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$/;

/** What the names of datasets that the server fills itself start with. */
const ownPrefix = 'millrace-';
export const auditDataset = `${ownPrefix}audit`;

/** What others call datasets that the server fills. */
const otherNames: ReadonlyMap<string, string> = new Map([['axiom-audit', auditDataset]]);

/** The dataset that a name means in a query: the one of that name, or one that the server fills. */
export const datasetMeant = (name: string, exists: (name: string) => boolean): string =>
  exists(name) ? name : (otherNames.get(name) ?? name);

/**
 * Refuses names that no dataset may have. Starting with a letter or digit keeps `_apl`, `_fields`
 * and the like free for paths.
 * @throws HttpError `invalid-request`
 */
export function checkDatasetName(name: string): void {
  if (!pattern.test(name)) {
    throw httpError('invalid-request', {
      problem: `'${name}' cannot be the name of a dataset: use 1 to 128 letters, digits, "-", "_" and ".", with a letter or digit at both ends`,
    });
  }
  if (name.toLowerCase().startsWith(ownPrefix)) {
    throw httpError('invalid-request', {
      problem: `'${name}' cannot be the name of a dataset: "${ownPrefix}" is reserved`,
    });
  }
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
 * Refuses changes to the audit log: nobody may change what it records or how it reads.
 * @param done to the dataset, for the message: `deleted`
 * @throws HttpError `protected-resource`
 */
export function refuseAudit(name: string, done: string): void {
  if (name === auditDataset) throw httpError('protected-resource', { reason: `the audit log cannot be ${done}` });
}
