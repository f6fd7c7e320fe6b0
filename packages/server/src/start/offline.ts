/** What works on a data directory or a backup without a server. */
export { openMetadata } from '../metadata/metadata.js';
export { openMetadataOf } from '../metadata/open-metadata.js';
export { FieldStore } from '../storage/fields/field-store.js';
export type { Metadata } from '../metadata/metadata.js';
export { type Manifest, manifestName } from '../durability/manifest.js';
export { metadataName } from '../metadata/sqlite.js';
export { refusedIn } from '../durability/refused-in.js';
export { restoreBackup } from '../durability/restore.js';
export { restoreIntoNodes } from './restore-nodes.js';
export { issuedPersonalView, issuedView } from '../routes/access/token-views.js';
export { ownerSignIn } from '../access/owner-token.js';
export { signInPath } from '../routes/access/sessions.js';
export { datasetResources, orgResources, viewResources } from '../schemas/capabilities.js';
