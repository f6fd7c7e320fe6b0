import { externalPackages } from '../packages/cli/external-packages.js';
import { readJson, releaseVersion, workspaces } from './version.js';

/** Platforms with a prebuilt engine. `libc` is left out: npm rejects it on macOS. */
const platforms = { os: ['linux', 'darwin'], cpu: ['x64', 'arm64'] };

/**
 * The repository whose workflow packs. npm compares it with the signed statement of origin
 * (`npm publish --provenance`); a fork has another address.
 */
function repositoryField() {
  const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: name } = process.env;
  return host && name ? { repository: { type: 'git', url: `git+${host}/${name}.git` } } : {};
}

/** Manifest of the package `millrace`, which depends on the packages that its bundle lacks. */
export function commandManifest() {
  const { engines, license } = readJson('package.json');
  const { bin } = workspaces.get('cli');
  return {
    name: 'millrace',
    version: releaseVersion(),
    description: 'A self-hosted event store with the Axiom HTTP interface',
    keywords: ['logs', 'traces', 'events', 'observability', 'opentelemetry', 'apl'],
    license,
    ...repositoryField(),
    type: 'module',
    engines,
    ...platforms,
    bin,
    files: ['bin', 'dist', 'THIRD-PARTY-NOTICES.md'],
    dependencies: Object.fromEntries(externalPackages.map((name) => [name, rangeOf(name)])),
  };
}

/**
 * The range that the workspaces depend on.
 * @throws Error if no workspace depends on the package, or two workspaces differ
 */
function rangeOf(name) {
  const ranges = new Set([...workspaces.values()].flatMap(({ dependencies = {} }) => dependencies[name] ?? []));
  if (ranges.size !== 1) throw new Error(`${name} needs one range in the workspaces: ${[...ranges].join(', ')}`);
  return [...ranges][0];
}

/** Manifest of a workspace as it is published: without what only this repository has. */
export function workspaceManifest(folder) {
  const manifest = {
    ...workspaces.get(folder),
    version: releaseVersion(),
    engines: readJson('package.json').engines,
    ...repositoryField(),
  };
  for (const name of ['private', 'scripts', 'devDependencies']) delete manifest[name];
  return { ...manifest, exports: withoutSources(manifest.exports) };
}

/** Removes the condition that selects sources, which are not published. */
const withoutSources = (exports) =>
  JSON.parse(JSON.stringify(exports, (key, value) => (key === 'millrace-source' ? undefined : value)));
