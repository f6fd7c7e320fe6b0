/** Exports needed to start a server. Most modules are loaded later, while the engine starts. */
export { readSettings, SettingError, flagOf } from '@millrace/http/settings/settings';
export { settingsTable } from '@millrace/http/settings/settings-table';
export type { SettingRecord } from '@millrace/http/settings/setting-types';
export { consoleAddressProblem } from './startup/console-address.js';
export { startServer } from './startup/server.js';
