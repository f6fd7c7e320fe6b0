import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { httpError } from '@millrace/api/errors';
import type { OrgLimits } from '@millrace/api/schemas/org';
import type { Tenancy, TenantOptions } from '@millrace/http/choose-tenant';
import type { Tenant } from '@millrace/http/serve';
import { createOrgMetadata } from '@millrace/metadata/orgs/new-org';
import { hashSecret, orgNumberIn } from '@millrace/metadata/secrets';
import { syncDirectory } from '@millrace/metadata/record-file';
import { Mutex } from '@millrace/runtime/async/mutex';
import { dropDatabase } from '@millrace/storage/tables/table-of-dataset';
import { engineOfOrg } from '@millrace/storage/tables/database-name';
import type { Base } from './types.js';
import { type OpenOrg, openOrg, type ServerParts } from './open-org.js';
import { orgDirectory } from '../orgs/org-settings.js';
import type { EveryOrg, OrgMetadata } from '../orgs/people.js';
import type { ListedOrg, OrgAdmin } from '../orgs/org-admin.js';
import { type OrgEntry, OrgRegistry } from '../orgs/registry.js';

/** The organizations of a server beyond the first. */
export class Orgs implements Tenancy, OrgAdmin, EveryOrg {
  readonly #registry: OrgRegistry;
  readonly #parts: ServerParts;
  readonly primaryId: string;
  /**
   * Hashes of owner tokens of the first organization. An operator may have chosen one that reads as
   * if it had a number.
   */
  readonly #ownSecrets: ReadonlySet<string>;
  readonly #open = new Map<string, Promise<OpenOrg & { readonly tenant: Tenant }>>();
  /** IDs of those that could not be opened at the last attempt. */
  readonly #failures = new Set<string>();
  /** Creations and deletions run one at a time. */
  readonly #changes = new Mutex();
  #compose: ((options: TenantOptions) => Tenant) | undefined;
  #isClosed = false;

  private constructor(registry: OrgRegistry, parts: ServerParts, primaryId: string, ownSecrets: readonly string[]) {
    this.#registry = registry;
    this.#parts = parts;
    this.primaryId = primaryId;
    this.#ownSecrets = new Set(ownSecrets);
  }

  /**
   * Reads the list of organizations and removes unfinished ones.
   * @throws Error with a message for the operator
   */
  static async load(parts: ServerParts): Promise<Orgs> {
    const { settings, metadata } = parts.base;
    const registry = OrgRegistry.open(resolve(settings.dataDir), metadata.datasets.orgNumber);
    if (registry.all.length > 0 && !isOneProcess(parts.base))
      throw new Error(`${resolve(settings.dataDir)} has several organizations, and ${needsOneProcess}`);
    const { adminToken } = settings;
    const ownSecrets = [
      ...(await metadata.tokens.ownerHash()),
      ...(adminToken === undefined ? [] : [hashSecret(adminToken)]),
    ];
    const orgs = new Orgs(registry, parts, (await metadata.org.get()).id, ownSecrets);
    for (const entry of registry.all) if (entry.state !== 'active') await orgs.#erase(entry);
    return orgs;
  }

  get isEmpty(): boolean {
    return this.#registry.all.length === 0;
  }

  get closedCount(): number {
    return this.#failures.size;
  }

  serveWith(compose: (options: TenantOptions) => Tenant): void {
    this.#compose = compose;
  }

  idOf(secret: string): string | undefined {
    const number = orgNumberIn(secret);
    const id = number === 0 ? undefined : this.#active.find((entry) => entry.number === number)?.id;
    return id === undefined || this.#ownSecrets.has(hashSecret(secret)) ? undefined : id;
  }

  has(id: string): boolean {
    return id === this.primaryId || this.#registry.find(id)?.state === 'active';
  }

  async open(id: string): Promise<Tenant> {
    return (await this.#openOrg(id)).tenant;
  }

  /** Opens all organizations one after the other, so that their monitors run. */
  async openAll(): Promise<void> {
    for (const { id } of this.#active) {
      if (this.#isClosed) return;
      await this.#openOrg(id).catch((error: unknown) =>
        this.#parts.base.logger.error(
          { org: id, err: error },
          'could not open an organization; its next request tries again',
        ),
      );
    }
  }

  async all(): Promise<readonly OrgMetadata[]> {
    const first = { id: this.primaryId, metadata: this.#parts.base.metadata };
    return [first, ...(await this.#readOpen(async (id) => ({ id, metadata: (await this.#openOrg(id)).metadata })))];
  }

  list(): Promise<readonly ListedOrg[]> {
    return this.#readOpen((id) => this.get(id));
  }

  /** Leaves out organizations that cannot be opened: health and the log report them. */
  async #readOpen<T>(read: (id: string) => Promise<T>): Promise<readonly T[]> {
    const outcomes = await Promise.allSettled(this.#active.map(({ id }) => read(id)));
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }

  async get(id: string): Promise<ListedOrg> {
    const { limits } = this.#entry(id);
    const { metadata, usage } = await this.#openOrg(id);
    const { email } = await metadata.users.owner();
    const { ingestedToday, stored } = usage;
    return { record: await metadata.org.get(), ownerEmail: email, limits, usage: { ingestedToday, stored } };
  }

  create(name: string, limits: OrgLimits): Promise<{ readonly id: string; readonly ownerToken: string }> {
    return this.#changes.run(async () => {
      const { settings, clock } = this.#parts.base;
      requireOneProcess(this.#parts.base);
      const { maxOrgs } = settings;
      if (this.#active.length + 1 >= maxOrgs)
        throw httpError('quota-reached', {
          problem: `limit of ${maxOrgs} organizations reached`,
          setting: 'MILLRACE_MAX_ORGS',
        });
      const number = this.#registry.nextNumber;
      if (number === undefined)
        throw httpError('protected-resource', { reason: 'this server has no number left for an organization' });
      const id = `millrace-${randomBytes(8).toString('hex')}`;
      const entry: OrgEntry = { id, number, state: 'creating', limits };
      this.#registry.write(entry);
      try {
        const directory = orgDirectory(settings.dataDir, id);
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        const ownerToken = await createOrgMetadata(directory, { id, number, name }, clock);
        for (const path of [dirname(directory), resolve(settings.dataDir)]) syncDirectory(path);
        await this.#openOrg(id);
        this.#registry.write({ ...entry, state: 'active' });
        return { id, ownerToken };
      } catch (error) {
        // If this fails too, the next start removes it.
        await this.#erase(entry).catch(() => undefined);
        throw error;
      }
    });
  }

  async setLimits(id: string, limits: OrgLimits): Promise<void> {
    await this.#changes.run(async () => this.#registry.write({ ...this.#entry(id), limits }));
  }

  remove(id: string): Promise<void> {
    return this.#changes.run(async () => {
      const entry = { ...this.#entry(id), state: 'deleting' } as const;
      this.#registry.write(entry);
      await this.#erase(entry);
    });
  }

  /** Stores pending data of all and closes them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#changes.run(async () => {
      const closed = await Promise.allSettled([...this.#open.keys()].map((id) => this.#close(id)));
      for (const outcome of closed) if (outcome.status === 'rejected') throw outcome.reason;
    });
  }

  get #active(): readonly OrgEntry[] {
    return this.#registry.all.filter(({ state }) => state === 'active');
  }

  #entry(id: string): OrgEntry {
    const entry = this.#registry.find(id);
    if (entry?.state !== 'active') throw httpError('not-found', { kind: 'organization', name: id });
    return entry;
  }

  #openOrg(id: string): Promise<OpenOrg & { readonly tenant: Tenant }> {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const entry = this.#registry.find(id);
    const compose = this.#compose;
    if (entry === undefined || entry.state === 'deleting' || compose === undefined || this.#isClosed)
      return Promise.reject(httpError('shutting-down', {}));
    const limitsOf = (): OrgLimits => this.#registry.find(id)?.limits ?? entry.limits;
    const opening = openOrg(entry, limitsOf, this.#parts, this).then((org) => ({
      ...org,
      tenant: compose(org.served),
    }));
    this.#open.set(id, opening);
    opening.then(
      () => this.#failures.delete(id),
      // The next request tries again.
      () => (this.#open.delete(id), this.#failures.add(id)),
    );
    return opening;
  }

  async #close(id: string): Promise<void> {
    const opening = this.#open.get(id);
    this.#open.delete(id);
    await (await opening?.catch(() => undefined))?.close();
  }

  /** Removes everything of an organization, the entry last. */
  async #erase({ id, number }: OrgEntry): Promise<void> {
    const { base, shared } = this.#parts;
    await this.#close(id);
    await dropDatabase(engineOfOrg(shared.engine, number));
    await rm(orgDirectory(base.settings.dataDir, id), { recursive: true, force: true });
    this.#registry.remove(id);
    this.#failures.delete(id);
  }
}

/** @throws HttpError `protected-resource` if something of the server is shared or elsewhere */
function requireOneProcess(base: Pick<Base, 'settings'>): void {
  if (!isOneProcess(base)) throw httpError('protected-resource', { reason: needsOneProcess });
}

const isOneProcess = ({ settings: { nodes, clickhouseUrl, databaseUrl } }: Pick<Base, 'settings'>): boolean =>
  nodes !== 'shared' && clickhouseUrl === undefined && databaseUrl === undefined;

const needsOneProcess =
  'several organizations need the embedded engine and metadata in a file; run another server for each';
