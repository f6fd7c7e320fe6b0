import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

export const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));

/** Manifests of the workspaces, by folder name. */
export const workspaces = new Map(
  readdirSync(join(root, 'packages')).map((folder) => [folder, readJson('packages', folder, 'package.json')]),
);

/**
 * The version of everything that is published: the one of the root manifest.
 * @throws Error if a workspace has another version
 */
export function releaseVersion() {
  const { version } = readJson('package.json');
  for (const { name, version: other } of workspaces.values())
    if (other !== version)
      throw new Error(`${name} has version ${other}, the root manifest ${version}; make them equal`);
  return version;
}
