import type { PageAbout } from '../pages/page-about.js';
import { query } from '../pages/query/about.js';
import { specimen } from '../pages/specimen/about.js';
import { welcome } from '../pages/welcome/about.js';

/**
 * Every page of the console, in the order of the rail. A page is a folder below `pages/` and a line here: its routes, its place in the rail,
 * the keys that lead to it and its chunk all come from this table.
 */
export const pages: readonly PageAbout[] = [query, welcome, specimen];
