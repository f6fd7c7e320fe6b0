import type { Command } from '../command/command.js';
import { backup } from './backup.js';
import { completion } from './completion.js';
import { consoleCommand } from './console.js';
import { dashboardApply } from './dashboard/apply.js';
import { dashboardDelete } from './dashboard/delete.js';
import { dashboardGet } from './dashboard/get.js';
import { dashboardList } from './dashboard/list.js';
import { datasetCreate } from './dataset/create.js';
import { datasetDelete } from './dataset/delete.js';
import { datasetFields } from './dataset/fields.js';
import { datasetForgetFields } from './dataset/forget-fields.js';
import { datasetGet } from './dataset/get.js';
import { datasetList } from './dataset/list.js';
import { datasetTrim } from './dataset/trim.js';
import { datasetUpdate } from './dataset/update.js';
import { datasetVacuum } from './dataset/vacuum.js';
import { demo } from './demo.js';
import { doctor } from './doctor.js';
import { exportCommand } from './export.js';
import { help } from './help.js';
import { ingest } from './ingest.js';
import { login } from './login.js';
import { logout } from './logout.js';
import { logSalvage } from './log/salvage.js';
import { logVerify } from './log/verify.js';
import { mcp } from './mcp.js';
import { monitorAcknowledge } from './monitor/acknowledge.js';
import { monitorApply } from './monitor/apply.js';
import { monitorDelete } from './monitor/delete.js';
import { monitorGet } from './monitor/get.js';
import { monitorList } from './monitor/list.js';
import { monitorTest } from './monitor/test.js';
import { notifierApply } from './notifier/apply.js';
import { notifierDelete } from './notifier/delete.js';
import { notifierGet } from './notifier/get.js';
import { notifierList } from './notifier/list.js';
import { notifierTest } from './notifier/test.js';
import { query } from './query.js';
import { restore } from './restore.js';
import { serve } from './serve.js';
import { routeApply } from './route/apply.js';
import { routeGet } from './route/get.js';
import { routeTest } from './route/test.js';
import { serviceInstall } from './service/install.js';
import { serviceUninstall } from './service/uninstall.js';
import { silenceCreate } from './silence/create.js';
import { silenceDelete } from './silence/delete.js';
import { silenceList } from './silence/list.js';
import { sourceCreate } from './source/create.js';
import { sourceList } from './source/list.js';
import { sourcePause } from './source/pause.js';
import { sourceDelete } from './source/delete.js';
import { sourceResume } from './source/resume.js';
import { sourceStatus } from './source/status.js';
import { stream } from './stream.js';
import { tokenCreate } from './token/create.js';
import { tokenDelete } from './token/delete.js';
import { tokenGet } from './token/get.js';
import { tokenList } from './token/list.js';
import { tokenRegenerate } from './token/regenerate.js';
import { verify } from './verify.js';
import { version } from './version.js';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  demo,
  doctor,
  serviceInstall,
  serviceUninstall,
  consoleCommand,
  login,
  logout,
  ingest,
  query,
  stream,
  exportCommand,
  datasetList,
  datasetCreate,
  datasetGet,
  datasetUpdate,
  datasetDelete,
  datasetTrim,
  datasetVacuum,
  datasetFields,
  datasetForgetFields,
  sourceList,
  sourceCreate,
  sourceStatus,
  sourcePause,
  sourceResume,
  sourceDelete,
  monitorList,
  monitorGet,
  monitorApply,
  monitorTest,
  monitorAcknowledge,
  monitorDelete,
  notifierList,
  notifierGet,
  notifierApply,
  notifierTest,
  notifierDelete,
  silenceList,
  silenceCreate,
  silenceDelete,
  routeGet,
  routeApply,
  routeTest,
  tokenList,
  tokenCreate,
  tokenGet,
  tokenDelete,
  tokenRegenerate,
  dashboardList,
  dashboardGet,
  dashboardApply,
  dashboardDelete,
  mcp,
  backup,
  restore,
  verify,
  logVerify,
  logSalvage,
  completion,
  version,
  help,
];
