import type { PageMeta } from '../page-meta.js';

/** Lets a program sign in, such as `millrace login`, which prints the address. */
export const device: PageMeta = {
  id: 'device',
  title: 'Allow a program',
  paths: ['device'],
  load: () => import('./page.js').then(({ DevicePage }) => DevicePage),
};
