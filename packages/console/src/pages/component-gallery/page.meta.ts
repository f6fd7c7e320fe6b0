import type { PageMeta } from '../page-meta.js';

/** All widgets in all states, for developers and visual tests. Not linked. */
export const specimen: PageMeta = {
  id: 'specimen',
  title: 'Widgets',
  paths: ['specimen'],
  load: () => import('./page.js').then(({ SpecimenPage }) => SpecimenPage),
};
