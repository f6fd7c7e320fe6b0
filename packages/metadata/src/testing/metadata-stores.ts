import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { Clock } from '../clock.js';
import { type Metadata, openMetadata } from '../metadata.js';
import { openMetadataIn } from '../open-metadata.js';
import type { Quota } from '../quota.js';
import { inMemory } from '../sqlite.js';
import { sharedPostgres, whyNoPostgres } from './postgres.js';

/** A place for metadata that outlasts the processes that open it. */
export interface MetadataPlace {
  /** May be called again while the first is still open. */
  open(clock?: Clock, quota?: Quota): Promise<Metadata>;
  end(): Promise<void>;
}

interface MetadataStore {
  readonly name: string;
  /** Separate metadata that are deleted when they are closed. */
  open(clock?: Clock, quota?: Quota): Promise<Metadata>;
  place(): Promise<MetadataPlace>;
}

const postgresPlace = async (): Promise<string> => (await sharedPostgres()).place();

const stores: readonly MetadataStore[] = [
  {
    name: 'SQLite',
    open: (clock, quota) => openMetadata(inMemory, clock, quota),
    place: async () => {
      const directory = mkdtempSync(join(tmpdir(), 'millrace-metadata-'));
      return {
        open: (clock, quota) => openMetadata(join(directory, 'metadata.sqlite'), clock, quota),
        end: async () => rmSync(directory, { recursive: true }),
      };
    },
  },
  {
    name: 'PostgreSQL',
    open: async (clock, quota) => openMetadataIn({ url: await postgresPlace() }, clock, quota),
    place: async () => {
      const url = await postgresPlace();
      return { open: (clock, quota) => openMetadataIn({ url }, clock, quota), end: async () => undefined };
    },
  },
];

const postgresProblem = whyNoPostgres();

/**
 * Metadata for tests of other parts. With `TEST_DATABASE=postgres` in the environment they are in
 * PostgreSQL, and a whole suite runs over it.
 */
export function openTestMetadata(clock?: Clock, quota?: Quota): Promise<Metadata> {
  const [sqlite, postgres] = stores;
  return (process.env['TEST_DATABASE'] === 'postgres' ? postgres : sqlite)!.open(clock, quota);
}

/** Runs tests over each kind of store. */
export function describeEachStore(tests: (store: MetadataStore) => void): void {
  for (const store of stores)
    describe.skipIf(store.name === 'PostgreSQL' && postgresProblem !== undefined)(`over ${store.name}`, () => {
      tests(store);
    });
}
