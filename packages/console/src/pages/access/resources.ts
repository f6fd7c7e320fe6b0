import type { DatasetCapabilities, OrgCapabilities, ViewCapabilities } from '@millrace/client';

/** Permissions: each resource, its actions, and their descriptions. */

interface Resource<Name extends string> {
  readonly id: Name;
  readonly title: string;
  readonly actions: readonly string[];
}

const crud = ['create', 'read', 'update', 'delete'] as const;

type DatasetRights = DatasetCapabilities[string];

export const datasetResources: readonly Resource<keyof DatasetRights>[] = [
  { id: 'ingest', title: 'Ingest', actions: ['create'] },
  { id: 'query', title: 'Query events', actions: ['read'] },
  { id: 'starredQueries', title: 'Saved queries', actions: crud },
  { id: 'virtualFields', title: 'Virtual fields', actions: crud },
  { id: 'trim', title: 'Trim', actions: ['update'] },
  { id: 'vacuum', title: 'Vacuum', actions: ['update'] },
  { id: 'data', title: 'Delete events', actions: ['delete'] },
  { id: 'share', title: 'Sharing', actions: ['create', 'read', 'delete'] },
];

export const orgResources: readonly Resource<keyof OrgCapabilities>[] = [
  { id: 'datasets', title: 'Datasets', actions: crud },
  { id: 'views', title: 'Views', actions: crud },
  { id: 'dashboards', title: 'Dashboards', actions: crud },
  { id: 'monitors', title: 'Monitors', actions: crud },
  { id: 'notifiers', title: 'Notifiers', actions: crud },
  { id: 'annotations', title: 'Annotations', actions: crud },
  { id: 'apiTokens', title: 'API tokens', actions: crud },
  { id: 'users', title: 'Users', actions: crud },
  { id: 'rbac', title: 'Roles and groups', actions: crud },
  { id: 'auditLog', title: 'Audit log', actions: ['read'] },
];

/** Permissions in the server's format. */
export interface Rights {
  readonly datasetCapabilities: DatasetCapabilities;
  readonly orgCapabilities: OrgCapabilities;
  readonly viewCapabilities: ViewCapabilities;
}

export const noRights: Rights = { datasetCapabilities: {}, orgCapabilities: {}, viewCapabilities: {} };

type Actions = Readonly<Record<string, readonly string[] | undefined>>;

/** Adds or removes an action. A resource without actions is removed. */
function toggleAction(actions: Actions, resource: string, action: string, on: boolean): Actions {
  const rest = (actions[resource] ?? []).filter((each) => each !== action);
  const next = on ? [...rest, action] : rest;
  const { [resource]: _, ...others } = actions;
  return next.length === 0 ? others : { ...others, [resource]: next };
}

/** Grants or revokes an action on these datasets. */
export function toggleOnDatasets(
  rights: Rights,
  datasets: readonly string[],
  resource: string,
  action: string,
  on: boolean,
): Rights {
  const entries = datasets.map((name) => [
    name,
    toggleAction((rights.datasetCapabilities[name] ?? {}) as Actions, resource, action, on),
  ]);
  const datasetCapabilities = { ...rights.datasetCapabilities, ...Object.fromEntries(entries) } as DatasetCapabilities;
  return { ...rights, datasetCapabilities };
}

export const toggleInOrg = (rights: Rights, resource: string, action: string, on: boolean): Rights => ({
  ...rights,
  orgCapabilities: toggleAction(rights.orgCapabilities as Actions, resource, action, on) as OrgCapabilities,
});

/** Applies the permissions of the first dataset to others. */
export function onDatasets(rights: Rights, datasets: readonly string[]): Rights {
  const given = Object.values(rights.datasetCapabilities)[0] ?? {};
  return { ...rights, datasetCapabilities: Object.fromEntries(datasets.map((name) => [name, given])) };
}

/** Common kinds of tokens. */
interface Preset {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly dataset: DatasetRights;
}

const everything = Object.fromEntries(datasetResources.map(({ id, actions }) => [id, actions])) as DatasetRights;

export const presets: readonly Preset[] = [
  { id: 'send', title: 'Ingest only', about: 'For shippers and applications', dataset: { ingest: ['create'] } },
  { id: 'read', title: 'Read only', about: 'For Grafana, scripts and dashboards', dataset: { query: ['read'] } },
  { id: 'both', title: 'Ingest and query', about: 'For testing', dataset: { ingest: ['create'], query: ['read'] } },
  { id: 'all', title: 'Full access', about: 'Includes trimming and deleting events', dataset: everything },
];

/** Shortest accurate summary of permissions: `Send only · logs`. */
export function rightsInWords({
  datasetCapabilities,
  orgCapabilities,
  viewCapabilities = {},
}: Omit<Rights, 'viewCapabilities'> & Partial<Pick<Rights, 'viewCapabilities'>>): readonly string[] {
  const sentences: string[] = [];
  const byRights = new Map<string, string[]>();
  for (const [name, rights] of Object.entries(datasetCapabilities)) {
    const words = datasetWords(rights);
    if (words !== undefined)
      byRights.set(words, [...(byRights.get(words) ?? []), name === '*' ? 'all datasets' : name]);
  }
  for (const [words, names] of byRights) sentences.push(`${words} · ${names.join(', ')}`);
  const org = orgResources.flatMap(({ id, title, actions }) => {
    const given: readonly string[] = orgCapabilities[id] ?? [];
    if (given.length === 0) return [];
    return [given.length === actions.length && actions.length > 1 ? title : `${title}: ${given.join(', ')}`];
  });
  if (org.length === orgResources.length) sentences.push('Full organization access');
  else if (org.length > 0) sentences.push(org.join(' · '));
  const views = Object.entries(viewCapabilities).filter(([, rights]) => (rights.query ?? []).length > 0);
  if (views.length > 0)
    sentences.push(`Query views · ${views.map(([name]) => (name === '*' ? 'all' : name)).join(', ')}`);
  return sentences.length === 0 ? ['No permissions'] : sentences;
}

function datasetWords(rights: DatasetRights): string | undefined {
  const given = datasetResources.filter(({ id }) => (rights[id] ?? []).length > 0);
  if (given.length === 0) return undefined;
  const preset = presets.find(({ dataset }) => sameRights(dataset, rights));
  return (
    preset?.title ??
    given
      .map(({ id, title, actions }) => {
        const those: readonly string[] = rights[id] ?? [];
        return those.length === actions.length ? title : `${title}: ${those.join(', ')}`;
      })
      .join(', ')
  );
}

const sameRights = (a: DatasetRights, b: DatasetRights): boolean =>
  datasetResources.every(({ id }) => {
    const [x, y]: (readonly string[])[] = [a[id] ?? [], b[id] ?? []];
    return x!.length === y!.length && x!.every((each) => y!.includes(each));
  });
