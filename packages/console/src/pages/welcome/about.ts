import type { PageAbout } from '../page-about.js';

/** The first event. Query leads here while there is no dataset; the palette always does. */
export const welcome: PageAbout = {
  id: 'welcome',
  title: 'Welcome',
  paths: ['welcome'],
  load: () => import('./page.js').then(({ WelcomePage }) => WelcomePage),
};
