import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './version.js';

/** The folder of the package that a module belongs to; undefined for a workspace's module. */
const packageOf = (id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0];

function licenseText(folder) {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file));
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8').trim();
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `## ${name} - ${version} (${license})\n\n${licenseText(folder)}\n`;
}

/**
 * License notices of the packages whose code or fonts the published package contains.
 * @param modules paths of all modules of the command's bundle
 */
export function thirdPartyNotices(modules) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'packages/console/package.json'), 'utf8'));
  const fonts = Object.keys(devDependencies)
    .filter((name) => name.startsWith('@fontsource'))
    .map((name) => join(root, 'node_modules', name));
  const folders = new Set([...modules.flatMap((id) => packageOf(id) ?? []), ...fonts]);
  return [
    '# Licenses of the included packages\n',
    ...[...folders].sort().map(notice),
    // Written by the build of the console, which knows its modules.
    readFileSync(join(root, 'packages/console/dist/site/.vite/license.md'), 'utf8').replace(/^# .*\n/, '# Console\n'),
  ].join('\n');
}
