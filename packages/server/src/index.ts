/** What starts a server: little, as the most of it is loaded while the engine starts. */
export { readSettings, SettingError, defaultSettings, flagOf, variableOf } from './settings.js';
export { settingsTable } from './settings-table.js';
export type { Settings, SettingName, SettingsResult } from './settings.js';
export { startServer } from './server.js';
export type { RunningServer, ServerOptions } from './server.js';
export type { Base, EventParts } from './serving.js';
export { takeDirectory } from './directory.js';
export type { HeldDirectory } from './directory.js';
