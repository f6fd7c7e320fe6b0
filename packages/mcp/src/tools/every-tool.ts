import type { Tool } from '../tool.js';
import { compare } from './compare.js';
import { countOverTime } from './count-over-time.js';
import { describeDataset } from './describe-dataset.js';
import { fieldValues } from './field-values.js';
import { getDashboard } from './get-dashboard.js';
import { getTrace } from './get-trace.js';
import { listDashboards } from './list-dashboards.js';
import { listDatasets } from './list-datasets.js';
import { listMonitors } from './list-monitors.js';
import { listServices } from './list-services.js';
import { monitorHistory } from './monitor-history.js';
import { patterns } from './patterns.js';
import { query } from './query.js';
import { searchWord } from './search-word.js';
import { slowOperations } from './slow-operations.js';

/** All tools, by name. There are few on purpose: each costs every agent about 150 tokens. */
export const tools: readonly Tool[] = [
  compare,
  countOverTime,
  describeDataset,
  fieldValues,
  getDashboard,
  getTrace,
  listDashboards,
  listDatasets,
  listMonitors,
  listServices,
  monitorHistory,
  patterns,
  query,
  searchWord,
  slowOperations,
];
