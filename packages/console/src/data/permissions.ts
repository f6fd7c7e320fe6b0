import type { DatasetCapabilities, OrgCapabilities, ViewCapabilities } from '@millrace/client';

/** Permission that a control needs: one of the organization or of a dataset. */
export type RequiredPermission =
  | { readonly org: keyof OrgCapabilities; readonly action: string }
  | { readonly dataset: string; readonly can: keyof DatasetCapabilities[string]; readonly action: string };

/** One source of permissions; the user has their union. */
interface Rights {
  readonly datasetCapabilities: DatasetCapabilities;
  readonly orgCapabilities: OrgCapabilities;
  readonly viewCapabilities: ViewCapabilities;
}

/**
 * Whether these permissions allow an action. The server decides; this only disables controls that
 * it would reject.
 */
export function may(rights: readonly Rights[], need: RequiredPermission): boolean {
  return rights.some(({ datasetCapabilities, orgCapabilities }) => {
    if ('org' in need)
      return (orgCapabilities[need.org] as readonly string[] | undefined)?.includes(need.action) === true;
    const given = [datasetCapabilities['*'], datasetCapabilities[need.dataset]];
    return given.some((each) => (each?.[need.can] as readonly string[] | undefined)?.includes(need.action) === true);
  });
}

/** Whether these permissions allow an action on some dataset. */
export const maySomewhere = (
  rights: readonly Rights[],
  can: keyof DatasetCapabilities[string],
  action: string,
): boolean =>
  rights.some(({ datasetCapabilities }) =>
    Object.values(datasetCapabilities).some((given) => (given[can] as readonly string[] | undefined)?.includes(action)),
  );

/** Describes the permission to request from the server's owner. */
export const needText = (need: RequiredPermission): string =>
  'org' in need
    ? `Requires permission ${need.org}:${need.action}`
    : `Requires permission ${need.can}:${need.action} on ${need.dataset === '*' ? 'the dataset' : need.dataset}`;

/**
 * Describes the permission that a rejected request lacked, in the words of `needText`; undefined
 * for other errors.
 */
export function missingPermission({
  status,
  message,
}: {
  readonly status: number;
  readonly message: string;
}): string | undefined {
  if (status !== 403) return undefined;
  const found = /^forbidden: requires the [\w ]+ capability ([\w:]+)(?: on '(.+?)')?;/s.exec(message);
  if (found === null) return message.replace(/^forbidden: (.)/, (_, first: string) => first.toUpperCase());
  const [, permission, dataset] = found;
  return `Requires permission ${permission}${dataset === undefined ? '' : ` on ${dataset}`}. Ask an owner to grant it.`;
}
