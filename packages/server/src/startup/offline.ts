/** Exports that work on a data directory or a backup without a server. */
export { openMetadata } from '@millrace/metadata/metadata';
export { openMetadataOf } from '@millrace/metadata/open-metadata';
export { FieldStore } from '@millrace/storage/fields/field-store';
export type { Metadata } from '@millrace/metadata/metadata';
export { type Manifest, manifestName } from '../backup/manifest.js';
export { metadataName } from '@millrace/metadata/sqlite';
export { quarantinedBatches as refusedIn } from '../backup/quarantined-in.js';
export { restoreBackup } from '../backup/restore.js';
export { restoreIntoNodes } from './restore-nodes.js';
export { issuedPersonalView, issuedView } from '../routes/access/token-views.js';
export { ownerSignIn } from '@millrace/http/access/owner-token';
export { signInPath } from '../routes/access/sessions.js';
export { datasetResources, orgResources, viewResources } from '@millrace/api/schemas/capabilities';
