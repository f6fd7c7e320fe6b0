import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router';
import { Unreachable } from '../data/api.js';
import { readSearch, writeSearch } from '../data/search-text.js';
import { unpackFromHash } from '../data/packed-text.js';
import { taste } from '../data/taste.js';
import { ErrorState, EmptyState, Loading } from '../widgets/states.js';
import { Page } from '../widgets/page.js';
import { pages } from './page-table.js';
import { Shell } from './shell.js';

const root = createRootRoute({
  component: Shell,
  // Texts as they are; each page reads those it knows (`data/url-params.ts`), and the others are
  // kept.
  validateSearch: (search: Record<string, unknown>) => search,
  beforeLoad: ({ location }) => unpackFromHash(location.hash),
  notFoundComponent: () => (
    <Page title="Not found">
      <EmptyState title="There is no page at this address">The rail on the left has all there are.</EmptyState>
    </Page>
  ),
});

/** The files of a page could not be had, in the words of the browsers and of the bundler. */
const isUnloaded = (error: unknown): boolean =>
  /preload CSS|dynamically imported module|importing a module script/i.test(String(error));

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // Home is where somebody was last.
    const { lastQuery } = taste();
    throw redirect({ to: '/query', search: lastQuery === '' ? {} : { q: lastQuery }, replace: true });
  },
});

const routes: readonly AnyRoute[] = pages.flatMap(({ paths, load, title }) =>
  paths.map((path) =>
    createRoute({
      getParentRoute: () => root,
      path: `/${path}`,
      component: lazyRouteComponent(async () => ({ default: await load() })),
      pendingComponent: () => (
        <Page title={title}>
          <Loading />
        </Page>
      ),
      errorComponent: ({ error, reset }) => (
        <Page title={title} flow="failed">
          <ErrorState
            title="This page failed"
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
  basepath: '/console',
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
