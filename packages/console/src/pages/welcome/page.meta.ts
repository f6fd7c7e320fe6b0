import type { PageMeta } from '../page-meta.js';

/** First event. Query redirects here until there is a dataset; also in the palette. */
export const welcome: PageMeta = {
  id: 'welcome',
  title: 'Welcome',
  paths: ['welcome'],
  load: () => import('./page.js').then(({ WelcomePage }) => WelcomePage),
};
