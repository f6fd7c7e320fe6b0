export { readSettings, defaultSettings, settingsTable, flagOf, variableOf } from './settings.js';
export type { Settings, SettingName, SettingsResult } from './settings.js';
export { startServer } from './server.js';
export type { Base, EventParts, RunningServer, ServerOptions } from './server.js';
export { openMetadata } from './metadata/metadata.js';
export type { Metadata } from './metadata/metadata.js';
export { ownerToken } from './access/owner-token.js';
export { openEvents } from './events.js';
