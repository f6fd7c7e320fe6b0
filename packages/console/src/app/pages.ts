import type { PageMeta } from '../pages/page-meta.js';
import { access } from '../pages/access/page.meta.js';
import { audit } from '../pages/audit/page.meta.js';
import { dashboard, dashboards } from '../pages/dashboards/page.meta.js';
import { datasets } from '../pages/datasets/page.meta.js';
import { device } from '../pages/device/page.meta.js';
import { live } from '../pages/live/page.meta.js';
import { metrics } from '../pages/metrics/page.meta.js';
import {
  editMonitor,
  incident,
  incidents,
  monitor,
  monitors,
  newMonitor,
  routes,
  silences,
  slos,
} from '../pages/monitors/page.meta.js';
import { notifiers } from '../pages/notifiers/page.meta.js';
import { query } from '../pages/query/page.meta.js';
import { server } from '../pages/server/page.meta.js';
import { settings } from '../pages/settings/page.meta.js';
import { sources } from '../pages/sources/page.meta.js';
import { specimen } from '../pages/component-gallery/page.meta.js';
import { trace } from '../pages/trace/page.meta.js';
import { services, traces } from '../pages/trace-search/page.meta.js';
import { welcome } from '../pages/welcome/page.meta.js';

/**
 * All pages, in sidebar order. A page is a folder in `pages/` and an entry here; routes, sidebar,
 * keyboard shortcuts and code splitting derive from this table.
 */
export const pages: readonly PageMeta[] = [
  query,
  live,
  traces,
  metrics,
  dashboards,
  monitors,
  datasets,
  sources,
  server,
  access,
  audit,
  settings,
  notifiers,
  silences,
  incidents,
  slos,
  routes,
  newMonitor,
  monitor,
  editMonitor,
  incident,
  dashboard,
  services,
  trace,
  welcome,
  device,
  specimen,
];
