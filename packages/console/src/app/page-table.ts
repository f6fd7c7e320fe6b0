import type { PageAbout } from '../pages/page-about.js';
import { access } from '../pages/access/about.js';
import { audit } from '../pages/audit/about.js';
import { dashboard, dashboards } from '../pages/dashboards/about.js';
import { datasets } from '../pages/datasets/about.js';
import { live } from '../pages/live/about.js';
import { editMonitor, monitor, monitors, newMonitor } from '../pages/monitors/about.js';
import { notifiers } from '../pages/notifiers/about.js';
import { query } from '../pages/query/about.js';
import { server } from '../pages/server/about.js';
import { settings } from '../pages/settings/about.js';
import { specimen } from '../pages/specimen/about.js';
import { trace } from '../pages/trace/about.js';
import { services, traces } from '../pages/traces/about.js';
import { welcome } from '../pages/welcome/about.js';

/**
 * Every page of the console, in the order of the rail. A page is a folder below `pages/` and a line
 * here: its routes, its place in the rail, the keys that lead to it and its chunk all come from
 * this table.
 */
export const pages: readonly PageAbout[] = [
  query,
  live,
  traces,
  dashboards,
  monitors,
  datasets,
  server,
  access,
  audit,
  settings,
  notifiers,
  newMonitor,
  monitor,
  editMonitor,
  dashboard,
  services,
  trace,
  welcome,
  specimen,
];
