import { isDeepStrictEqual } from 'node:util';
import { draftOf } from '@millrace/alerts/monitor';
import { toStoredProperties } from '@millrace/alerts/notifier';
import { httpError } from '@millrace/api/errors';
import { DashboardDocument, everyone } from '@millrace/api/schemas/dashboard';
import { CreateDataset } from '@millrace/api/schemas/dataset';
import { WriteMonitor } from '@millrace/api/schemas/monitor';
import { WriteNotifier } from '@millrace/api/schemas/notifier';
import type { AuthenticatedPrincipal } from '@millrace/http/access/authorize';
import { checkBody } from '@millrace/http/validation/validate';
import { timestamp } from '@millrace/metadata/clock';
import { createDataset } from '@millrace/metadata/datasets/lifecycle';
import { contentOf } from '../dashboards/changes.js';
import { membersOf } from '../dashboards/json-text.js';
import type { Deps } from '../routes/deps.js';

/** What a file did. */
type Outcome = 'created' | 'changed' | 'same';

/** A file of a resource, and the owner, as whom it is written. */
interface ProvisionedFile {
  /** Name without `.json`. */
  readonly stem: string;
  readonly text: string;
  /** Whether it changed since it was applied, perhaps by what it no longer has. */
  readonly isChanged: boolean;
  readonly owner: AuthenticatedPrincipal;
}

/** @throws HttpError */
type Apply = (deps: Deps, file: ProvisionedFile) => Promise<Outcome>;

/** Kinds of resources by folder, in order: monitors name notifiers, and read datasets. */
export const provisionedKinds: Readonly<Record<string, Apply>> = {
  datasets: applyDataset,
  notifiers: applyNotifier,
  monitors: applyMonitor,
  dashboards: applyDashboard,
};

async function applyDataset(deps: Deps, { text, owner }: ProvisionedFile): Promise<Outcome> {
  const { datasets } = deps.metadata;
  const body = checkBody(CreateDataset, JSON.parse(text)) as CreateDataset;
  const present = datasets.list().find(({ name }) => name === body.name);
  if (present === undefined) {
    await createDataset(deps, { ...body, who: owner.tokenName });
    return 'created';
  }
  const { description, useRetentionPeriod, retentionDays, fieldRoles } = body;
  const wanted = definedOf({ description, useRetentionPeriod, retentionDays, fieldRoles });
  if (isWithin(wanted, present)) return 'same';
  await datasets.update(body.name, () => wanted);
  return 'changed';
}

async function applyNotifier({ metadata, clock }: Deps, { text, isChanged, owner }: ProvisionedFile): Promise<Outcome> {
  const { notifiers } = metadata;
  const body = checkBody(WriteNotifier, JSON.parse(text)) as WriteNotifier;
  const present = onlyOne(await notifiers.list(), 'notifier', body.name);
  const now = timestamp(clock);
  if (present === undefined) {
    const properties = toStoredProperties(body);
    await notifiers.create({ ...body, properties, createdAt: now, createdBy: owner.userId, updatedAt: now });
    return 'created';
  }
  const properties = toStoredProperties(body, present);
  if (!isChanged && isWithin({ ...body, properties }, present)) return 'same';
  const { id, createdAt, createdBy } = present;
  await notifiers.update(id, () => ({ ...body, id, properties, createdAt, createdBy, updatedAt: now }));
  return 'changed';
}

async function applyMonitor(
  { metadata, alerts, clock }: Deps,
  { text, isChanged, owner }: ProvisionedFile,
): Promise<Outcome> {
  const { monitors, notifiers } = metadata;
  const body = checkBody(WriteMonitor, JSON.parse(text)) as WriteMonitor;
  const byName = new Map((await notifiers.list()).map(({ id, name }) => [name, id]));
  // A file cannot know IDs of this server.
  const draft = draftOf({ ...body, notifierIds: (body.notifierIds ?? []).map((each) => byName.get(each) ?? each) });
  const present = onlyOne(await monitors.list(), 'monitor', body.name);
  const now = timestamp(clock);
  if (present === undefined) {
    await alerts.drafts.requireRoom();
    const checked = await alerts.drafts.check(draft, owner);
    const by = owner.userId;
    await monitors.create({ ...draft, createdAt: now, createdBy: by, writtenBy: by, updatedAt: now, ...checked });
    return 'created';
  }
  if (!isChanged && isWithin(draft, present)) return 'same';
  const checked = await alerts.drafts.check(draft, owner, present.id);
  await monitors.update(present.id, ({ id, createdAt, createdBy }) => ({
    ...draft,
    id,
    createdAt,
    createdBy,
    writtenBy: owner.userId,
    updatedAt: now,
    ...checked,
  }));
  return 'changed';
}

async function applyDashboard(
  { metadata: { dashboards }, settings }: Deps,
  { stem, text: whole, owner }: ProvisionedFile,
): Promise<Outcome> {
  // An API response has the document inside.
  const members = membersOf(whole);
  const isWrapped = !members.has('charts') && members.has('dashboard');
  const text = isWrapped ? members.get('dashboard')! : whole;
  const document = checkBody(DashboardDocument, JSON.parse(text), 'invalid-dashboard') as DashboardDocument;
  const given: unknown = JSON.parse(members.get('uid') ?? 'null');
  const uid = typeof given === 'string' && given !== '' ? given : stem;
  const max = settings.maxDashboardBytes;
  const quota = { records: settings.maxDashboards, bytes: settings.maxAllDashboardBytes, versionBytes: 2 * max };
  const author = { userId: owner.userId, manages: true };
  const present = await dashboards.find(uid);
  const content = contentOf(document, text, { owner: everyone, present, author, message: 'provisioned', max });
  if (present?.document === content.document && present.owner === everyone) return 'same';
  await dashboards.write(uid, owner.userId, quota, () => content);
  return present === undefined ? 'created' : 'changed';
}

/** Resources are found by name: two of one name could be either. */
function onlyOne<T extends { readonly name: string }>(all: readonly T[], kind: string, name: string): T | undefined {
  const found = all.filter((each) => each.name === name);
  if (found.length > 1)
    throw httpError('invalid-request', {
      problem: `there are ${found.length} ${kind}s named '${name}'; rename or delete all but one`,
    });
  return found[0];
}

const definedOf = <T extends object>(members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Whether a resource already has these members. */
const isWithin = (members: object, present: object): boolean =>
  Object.entries(members).every(([name, value]) =>
    isDeepStrictEqual(value, (present as Readonly<Record<string, unknown>>)[name]),
  );
