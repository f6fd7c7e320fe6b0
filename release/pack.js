/**
 * Packs what is published into `release/dist`, from the build output:
 *
 *     npm run pack
 *
 * `millrace` has the command, the server and the console; `@millrace/client` the client alone;
 * `@millrace/apl` the language services of APL; `@millrace/testing` the matchers, and `millrace` as
 * a dependency.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aplManifest, bundleApl } from './apl.js';
import { bundleCommand } from './bundle.js';
import { commandManifest, workspaceManifest } from './manifest.js';
import { thirdPartyNotices } from './notices.js';
import { addCommonJs, testingManifest } from './testing.js';
import { root } from './version.js';

const target = join(import.meta.dirname, 'dist');

/** Creates the folder of a package with the license. */
function packageFolder(name) {
  const folder = join(target, name);
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  return folder;
}

/** The page of the package for its users; the one in its workspace is for contributors. */
const copyPage = (name, folder) => cpSync(join(import.meta.dirname, name, 'README.md'), join(folder, 'README.md'));

const writeManifest = (folder, manifest) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

async function stageCommand() {
  const folder = packageFolder('millrace');
  const modules = await bundleCommand(folder);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.md'), thirdPartyNotices(modules));
  cpSync(join(root, 'packages/cli/bin'), join(folder, 'bin'), { recursive: true });
  copyPage('millrace', folder);
  writeManifest(folder, commandManifest());
  return folder;
}

/** Stages a workspace without source maps: the sources are not there. */
function stageWorkspace(name, manifest = workspaceManifest(name)) {
  const folder = packageFolder(name);
  const source = join(root, 'packages', name);
  const isPublished = (path) => !/\.map$|\.tsbuildinfo$/.test(path);
  cpSync(join(source, 'dist'), join(folder, 'dist'), { recursive: true, filter: isPublished });
  copyPage(name, folder);
  writeManifest(folder, manifest);
  return folder;
}

async function stageApl() {
  const folder = packageFolder('apl');
  await bundleApl(folder);
  copyPage('apl', folder);
  writeManifest(folder, aplManifest());
  return folder;
}

async function stageTesting() {
  const folder = stageWorkspace('testing', testingManifest());
  await addCommonJs(folder);
  return folder;
}

rmSync(target, { recursive: true, force: true });
const folders = [await stageCommand(), stageWorkspace('client'), await stageApl(), await stageTesting()];
execFileSync('npm', ['pack', '--silent', '--pack-destination', target, ...folders], { stdio: 'inherit' });
