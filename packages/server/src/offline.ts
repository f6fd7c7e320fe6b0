/** What works on a data directory or a backup without a server. */
export { openMetadata } from './metadata/metadata.js';
export type { Metadata } from './metadata/metadata.js';
export { manifestName, metadataName, restoreBackup } from './durability/restore.js';
export { datasetResources, orgResources, viewResources } from './access/capabilities.js';
