import type { PageAbout } from '../page-about.js';

/** Reached from the monitors, which have the place in the rail. */
export const notifiers: PageAbout = {
  id: 'notifiers',
  title: 'Notifiers',
  paths: ['notifiers'],
  needs: { org: 'notifiers', action: 'read' },
  load: () => import('./page.js').then(({ NotifiersPage }) => NotifiersPage),
};
