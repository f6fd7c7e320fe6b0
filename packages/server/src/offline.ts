/** What works on a data directory or a backup without a server. */
export { openMetadata } from './metadata/metadata.js';
export type { Metadata } from './metadata/metadata.js';
export { ownerToken } from './access/owner-token.js';
export { Manifest, manifestName, metadataName, restoreBackup } from './durability/restore.js';
export { hashOfFile } from './durability/file-hash.js';
export { datasetResources, orgResources, viewResources } from './access/capabilities.js';
