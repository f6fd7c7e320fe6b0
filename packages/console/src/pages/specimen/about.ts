import type { PageAbout } from '../page-about.js';

/**
 * Every widget in every state, for those who build pages, and for tests of their look. No link
 * leads there.
 */
export const specimen: PageAbout = {
  id: 'specimen',
  title: 'Widgets',
  paths: ['specimen'],
  load: () => import('./page.js').then(({ SpecimenPage }) => SpecimenPage),
};
