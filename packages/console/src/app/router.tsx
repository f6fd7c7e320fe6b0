import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { Unreachable } from '../data/api.js';
import { consolePath } from '../data/address/console-path.js';
import { useAccess } from '../data/catalog.js';
import type { PageMeta } from '../pages/page-meta.js';
import { WithPermission } from '../widgets/no-access.js';
import { readSearch, writeSearch } from '../data/search-text.js';
import { unpackFromHash } from '../data/address/compressed-text.js';
import { ErrorState, EmptyState, LoadingNotice } from '../widgets/states.js';
import { Page } from '../widgets/page.js';
import { pages } from './pages.js';
import { Shell } from './shell.js';

const root = createRootRoute({
  component: Shell,
  // Keeps search parameters as text; each page parses its own (`data/url-params.ts`).
  validateSearch: (search: Record<string, unknown>) => search,
  beforeLoad: ({ location }) => unpackFromHash(location.hash),
  notFoundComponent: () => (
    <Page title="Not found">
      <EmptyState title="Page not found">Choose a page from the sidebar.</EmptyState>
    </Page>
  ),
});

/** Messages of browsers and the bundler for a chunk that failed to load. */
const isUnloaded = (error: unknown): boolean =>
  /preload CSS|dynamically imported module|importing a module script/i.test(String(error));

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // Without a query the page opens the newest events.
    throw redirect({ to: '/query', replace: true });
  },
});

/** A page without permission does not load: its requests would be rejected. */
async function loadPage({ title, needs, subject, load }: PageMeta): Promise<ComponentType> {
  const Content = await load();
  if (needs === undefined) return Content;
  return function Gate() {
    const access = useAccess(needs);
    if (access === 'allowed') return <Content />;
    return (
      <Page title={title}>
        <WithPermission need={needs} subject={subject ?? title.toLowerCase()}>
          {null}
        </WithPermission>
      </Page>
    );
  };
}

const routes: readonly AnyRoute[] = pages.flatMap((page) =>
  page.paths.map((path) =>
    createRoute({
      getParentRoute: () => root,
      path: `/${path}`,
      component: lazyRouteComponent(async () => ({ default: await loadPage(page) })),
      pendingComponent: () => (
        <Page title={page.title}>
          <LoadingNotice />
        </Page>
      ),
      errorComponent: ({ error, reset }) => (
        <Page title={page.title} flow="failed">
          <ErrorState
            title="Something went wrong on this page"
            error={isUnloaded(error) ? new Unreachable(error) : error}
            onRetry={reset}
          />
        </Page>
      ),
    }),
  ),
);

export const router = createRouter({
  routeTree: root.addChildren([index, ...routes]),
  basepath: consolePath.slice(0, -1),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
