import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxOrgNumber } from '@millrace/metadata/orgs/org-number';
import { writeRecord } from '@millrace/metadata/record-file';
import type { OrgLimits } from '@millrace/api/schemas/org';

/** The organizations of a data directory beyond the first, in a file replaced as a whole. */

export interface OrgEntry {
  readonly id: string;
  /** Part of its dataset IDs and of its tokens. */
  readonly number: number;
  /**
   * `creating` and `deleting` are unfinished work; the next start removes the organization. Only an
   * active one is found by a request.
   */
  readonly state: 'creating' | 'active' | 'deleting';
  readonly limits: OrgLimits;
}

interface Content {
  /** The highest number ever assigned: numbers of deleted organizations are not assigned again. */
  readonly last: number;
  readonly orgs: readonly OrgEntry[];
}

const fileName = 'orgs.json';

export class OrgRegistry {
  readonly #directory: string;
  #content: Content;

  private constructor(directory: string, content: Content) {
    this.#directory = directory;
    this.#content = content;
  }

  /**
   * @param primary number of the first organization, which is not assigned again
   * @throws Error with a message for the operator when the file is damaged or missing
   */
  static open(directory: string, primary: number): OrgRegistry {
    const path = join(directory, fileName);
    const isThere = existsSync(path);
    // Numbers of organizations that it listed would be assigned again.
    if (!isThere && existsSync(join(directory, 'orgs'))) throw damagedError(path, 'missing');
    const content = isThere ? contentIn(path) : { last: 0, orgs: [] };
    return new OrgRegistry(directory, { ...content, last: Math.max(content.last, primary) });
  }

  get all(): readonly OrgEntry[] {
    return this.#content.orgs;
  }

  find(id: string): OrgEntry | undefined {
    return this.all.find((entry) => entry.id === id);
  }

  /** The next number; undefined when all were assigned. */
  get nextNumber(): number | undefined {
    const next = this.#content.last + 1;
    return next > maxOrgNumber ? undefined : next;
  }

  /** Adds or replaces an entry; durable when this returns. */
  write(entry: OrgEntry): void {
    const others = this.all.filter(({ id }) => id !== entry.id);
    const orgs = [...others, entry].toSorted((a, b) => a.number - b.number);
    this.#save({ last: Math.max(this.#content.last, entry.number), orgs });
  }

  remove(id: string): void {
    this.#save({ ...this.#content, orgs: this.all.filter((entry) => entry.id !== id) });
  }

  #save(content: Content): void {
    writeRecord(this.#directory, fileName, content);
    this.#content = content;
  }
}

function contentIn(path: string): Content {
  try {
    const { last, orgs } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Content>;
    if (typeof last === 'number' && Array.isArray(orgs)) return { last, orgs };
  } catch {
    // Reported below.
  }
  throw damagedError(path, 'damaged');
}

const damagedError = (path: string, how: string): Error =>
  new Error(`${path} is ${how}: it lists the organizations of this server; put a copy of it back`);
