import type { PageMeta } from '../page-meta.js';

/** Linked from the monitors, which are in the sidebar. */
export const notifiers: PageMeta = {
  id: 'notifiers',
  title: 'Notifiers',
  paths: ['notifiers'],
  needs: { org: 'notifiers', action: 'read' },
  load: () => import('./page.js').then(({ NotifiersPage }) => NotifiersPage),
};
