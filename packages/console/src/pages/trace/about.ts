import type { PageAbout } from '../page-about.js';

/** One trace: reached from every event that names one. */
export const trace: PageAbout = {
  id: 'trace',
  title: 'Trace',
  paths: ['trace/$dataset/$traceId'],
  inner: true,
  load: () => import('./page.js').then(({ TracePage }) => TracePage),
};
