import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Need } from '../data/rights.js';

/** What the shell knows about a page before its chunk is loaded. */
export interface PageAbout {
  /** Unique: `datasets`. */
  readonly id: string;
  readonly title: string;
  /**
   * Below `/console/`; the first is where its link leads. `$name` is a parameter: `datasets/$name`.
   */
  readonly paths: readonly [string, ...string[]];
  /** Its place in the rail; without, it is reached in another way. */
  readonly rail?: {
    readonly icon: LucideIcon;
    readonly group: 'work' | 'server';
    /** A hook: how many things there want to be seen, and what they are. */
    readonly useBadge?: () => { readonly count: number; readonly says: string } | undefined;
  };
  /** Its address has an id, so that no key and no command leads there. */
  readonly inner?: true;
  /** `g` and this letter lead there. */
  readonly letter?: string;
  /** The right without which there is nothing to see. */
  readonly needs?: Need;
  /**
   * Loads the chunk of the page:
   * `() => import("./page.js").then(({ DatasetsPage }) => DatasetsPage)`.
   */
  readonly load: () => Promise<ComponentType>;
}
