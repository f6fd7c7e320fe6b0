/** What starts a server: little, as the most of it is loaded while the engine starts. */
export { readSettings, SettingError, flagOf } from './settings/settings.js';
export { settingsTable } from './settings/settings-table.js';
export type { SettingRecord } from './settings/setting-types.js';
export { startServer } from './start/server.js';
