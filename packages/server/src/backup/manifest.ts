import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { Layout } from '@millrace/storage/tables/layout';
import { hashOfFile } from './file-hash.js';

/**
 * A backup on disk is this manifest, the metadata, and one Parquet file per dataset. The manifest
 * is written last, so a directory without it is no backup.
 */
export const manifestName = 'manifest.json';

export const Manifest = Type.Object({
  format: Type.Literal(1),
  created: Type.String(),
  position: Type.String({ pattern: '^\\d{1,19}$' }),
  files: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z0-9.]+$' }),
      bytes: Type.Integer(),
      sha256: Type.String(),
      /** Absent for the file of the metadata. */
      datasetId: Type.Optional(Type.Integer()),
      /** The columns of the dataset's table at the cut; absent from backups of older versions. */
      columns: Type.Optional(Layout),
    }),
  ),
});
export type Manifest = Static<typeof Manifest>;

/** @throws Error with a message for the operator, if there is no readable manifest */
export async function readManifest(backup: string): Promise<Manifest> {
  const path = join(backup, manifestName);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${backup} holds no complete backup: ${manifestName} is missing`);
  });
  const parsed = parseJson(text);
  if (!Value.Check(Manifest, parsed)) throw new Error(`${path} is not a manifest this version can read`);
  return parsed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @throws Error with a message for the operator, when a file of the backup is missing or damaged
 */
export async function requireIntact(backup: string, { name, bytes, sha256 }: Manifest['files'][number]): Promise<void> {
  const path = join(backup, name);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Error(`${path} is missing from the backup`);
  if (found.size !== bytes || (await hashOfFile(path)) !== sha256)
    throw new Error(`${path} is damaged: it is not what the backup wrote`);
}
