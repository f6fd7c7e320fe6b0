import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import { capabilitiesOf } from '@millrace/http/access/permissions';
import type { AuthenticatedPrincipal } from '@millrace/http/access/authorize';
import { SettingError } from '@millrace/http/settings/settings';
import type { Metadata } from '@millrace/metadata/metadata';
import type { Deps } from '../routes/deps.js';
import { provisionedKinds } from './provisioned-kinds.js';

/** What became of files: a change applies them again, and a new problem is reported. */
interface AppliedFiles {
  /** Text of each applied file. */
  readonly texts: Map<string, string>;
  readonly problems: Map<string, string>;
}

export const noFiles = (): AppliedFiles => ({ texts: new Map(), problems: new Map() });

/**
 * Creates and changes the resources in the files of a directory, a folder for each kind. Deletes
 * nothing. A file that fails stops no other, and is tried again at the next run. Applies a file
 * that is new or has changed; a change of the resource elsewhere stays until then.
 */
export async function provision(
  directory: string,
  deps: Deps,
  logger: Pick<Logger, 'info' | 'error'>,
  applied: AppliedFiles,
): Promise<void> {
  for (const [kind, apply] of Object.entries(provisionedKinds)) {
    for (const file of await filesIn(join(directory, kind))) {
      try {
        const text = await readFile(file, 'utf8');
        const before = applied.texts.get(file);
        if (before === text) continue;
        const stem = basename(file, '.json');
        const outcome = await apply(deps, {
          stem,
          text,
          isChanged: before !== undefined,
          owner: await ownerOf(deps.metadata),
        });
        applied.texts.set(file, text);
        applied.problems.delete(file);
        if (outcome !== 'same') logger.info({ file, outcome }, `${kind.slice(0, -1)} provisioned`);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        if (applied.problems.get(file) !== problem) logger.error({ file, problem }, 'file could not be provisioned');
        applied.problems.set(file, problem);
      }
    }
  }
}

/** @throws SettingError if the directory cannot be read */
export async function checkProvisionDirectory(directory: string): Promise<void> {
  try {
    await readdir(directory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new SettingError('provisionDir', `${directory} cannot be read: ${reason}`, { cause: error });
  }
}

/** JSON files of a folder in order of their names; none if there is no folder. */
async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .toSorted()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Files are written as the owner of the server. */
async function ownerOf(metadata: Metadata): Promise<AuthenticatedPrincipal> {
  const owner = await metadata.users.owner();
  return {
    kind: 'personal-token',
    tokenId: 'provisioning',
    tokenName: 'provisioning',
    userId: owner.id,
    capabilities: await capabilitiesOf(owner, metadata),
  };
}
