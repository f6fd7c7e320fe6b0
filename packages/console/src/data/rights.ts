import type { DatasetCapabilities, OrgCapabilities, ViewCapabilities } from '@millrace/client';

/** What a control needs: a capability of the organisation, or one of a dataset. */
export type Need =
  | { readonly org: keyof OrgCapabilities; readonly action: string }
  | { readonly dataset: string; readonly can: keyof DatasetCapabilities[string]; readonly action: string };

/** One source of rights; whatever any of them gives is given. */
interface Rights {
  readonly datasetCapabilities: DatasetCapabilities;
  readonly orgCapabilities: OrgCapabilities;
  readonly viewCapabilities: ViewCapabilities;
}

/**
 * Whether somebody with these rights may do it. The server decides; this only saves a click that
 * would be refused.
 */
export function may(rights: readonly Rights[], need: Need): boolean {
  return rights.some(({ datasetCapabilities, orgCapabilities }) => {
    if ('org' in need)
      return (orgCapabilities[need.org] as readonly string[] | undefined)?.includes(need.action) === true;
    const given = [datasetCapabilities['*'], datasetCapabilities[need.dataset]];
    return given.some((each) => (each?.[need.can] as readonly string[] | undefined)?.includes(need.action) === true);
  });
}

/** In words: what to ask the owner of the server for. */
export const needText = (need: Need): string =>
  'org' in need
    ? `Needs the right “${need.org}: ${need.action}”`
    : `Needs the right “${need.can}: ${need.action}” on ${need.dataset === '*' ? 'the dataset' : need.dataset}`;
