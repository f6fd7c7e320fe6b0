import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { root } from './support/root.ts';

/** The workflows run commands that exist, with the rights that they need and no others. */

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

const folder = join(root, '.github', 'workflows');
const workflow = (name: string): Workflow => parse(readFileSync(join(folder, name), 'utf8')) as Workflow;
const commands = (name: string): readonly string[] =>
  Object.values(workflow(name).jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
const { scripts, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly version: string;
};

describe.each(readdirSync(folder))('%s', (name) => {
  it('runs what there is', () => {
    const unknown = commands(name).filter((command) => {
      const [, script] = /^npm run (\S+)/.exec(command) ?? [];
      if (script !== undefined) return !(script in scripts);
      const [first = '', file = ''] = command.split(' ');
      return first !== 'npm' && !existsSync(join(root, first === 'node' ? file : first));
    });
    expect(unknown).toEqual([]);
  });
});

it('only the release may sign', () => {
  expect(workflow('ci.yml').permissions).toEqual({ contents: 'read' });
  expect(workflow('release.yml').permissions).toEqual({ contents: 'read', 'id-token': 'write' });
});

describe('the tag of a release', () => {
  const check = (tag: string) =>
    spawnSync(process.execPath, [join(root, 'release', 'check-tag.js'), tag], { encoding: 'utf8' });

  it('is the version', () => expect(check(`v${version}`)).toMatchObject({ status: 0, stderr: '' }));
  it('is no other one', () =>
    expect(check('v9.9.9')).toMatchObject({
      status: 1,
      stderr: `The tag is v9.9.9, the manifests have v${version}. Change the version or the tag.\n`,
    }));
});

it('the manifests name the repository that packs them', () => {
  const program = `import { commandManifest, workspaceManifest } from './release/manifest.js';
    console.log(JSON.stringify([commandManifest(), workspaceManifest('client')].map((manifest) => manifest.repository?.url)));`;
  const urls = (env: NodeJS.ProcessEnv): unknown =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, env, encoding: 'utf8' }),
    );
  const url = 'git+https://git.example/shop/millrace.git';
  expect(urls({ GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'shop/millrace' })).toEqual([url, url]);
  expect(urls({})).toEqual([null, null]);
});
