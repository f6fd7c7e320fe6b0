import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { RequiredPermission } from '../data/permissions.js';

/** Metadata of a page, available before its chunk loads. */
export interface PageMeta {
  /** Unique: `datasets`. */
  readonly id: string;
  readonly title: string;
  /**
   * Below `/console/`; the first is the target of its link. `$name` is a parameter:
   * `datasets/$name`.
   */
  readonly paths: readonly [string, ...string[]];
  /** Position in the sidebar; without it, the page is linked elsewhere. */
  readonly rail?: {
    readonly icon: LucideIcon;
    readonly group: 'work' | 'server';
    /** Paths of linked pages for which its entry is the current one too. */
    readonly also?: RegExp;
    /** A hook that returns a badge: a count and its meaning. */
    readonly useBadge?: () => { readonly count: number; readonly says: string } | undefined;
  };
  /** The path has an ID, so no shortcut or command opens it. */
  readonly inner?: true;
  /** `g` and this letter open it. */
  readonly letter?: string;
  /** Permission required to see anything. */
  readonly needs?: RequiredPermission;
  /** What the permission gives access to; the title in lower case by default. */
  readonly subject?: string;
  /**
   * Loads the chunk of the page:
   * `() => import("./page.js").then(({ DatasetsPage }) => DatasetsPage)`.
   */
  readonly load: () => Promise<ComponentType>;
}
