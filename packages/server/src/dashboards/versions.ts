import { httpError } from '@millrace/api/errors';
import type { DashboardRecord } from '@millrace/metadata/dashboards';

/** The version that a request is based on. */
interface VersionClaim {
  readonly version?: number | undefined;
  readonly overwrite?: boolean | undefined;
}

/**
 * Checks a write against the current version.
 * @param how `create` is POST, which ignores the version of a new dashboard; `replace` is
 * everything else
 * @throws HttpError `already-exists`, `version-conflict`, `invalid-request`
 */
export function checkVersion(
  present: DashboardRecord | undefined,
  uid: string,
  { version = 0, overwrite = false }: VersionClaim,
  how: 'create' | 'replace',
): void {
  if (overwrite || (present === undefined && (how === 'create' || version === 0))) return;
  if (present === undefined)
    throw httpError('version-conflict', { present: 'it was deleted meanwhile' }, { body: { uid } });
  const body = { uid, currentVersion: present.version };
  if (version === present.version) return;
  if (version !== 0)
    throw httpError('version-conflict', { present: `the current version is ${present.version}` }, { body });
  if (how === 'create') throw httpError('already-exists', { kind: 'dashboard', name: uid }, { body });
  throw httpError('invalid-request', { problem: "body 'version' is required when 'overwrite' is false" });
}
