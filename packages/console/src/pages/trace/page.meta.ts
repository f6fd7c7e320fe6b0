import type { PageMeta } from '../page-meta.js';

/** One trace, linked from its events. */
export const trace: PageMeta = {
  id: 'trace',
  title: 'Trace',
  paths: ['trace/$dataset/$traceId'],
  inner: true,
  load: () => import('./page.js').then(({ TracePage }) => TracePage),
};
