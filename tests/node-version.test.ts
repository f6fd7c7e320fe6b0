import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The first command that a user runs with an outdated Node version reports it. */

const root = join(import.meta.dirname, '..');
const { scripts, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: { readonly build: string };
  readonly engines: { readonly node: string };
};
const firstOfBuild = /^node (\S+) && /.exec(scripts.build)![1]!;

it.each([firstOfBuild, 'packages/cli/bin/millrace.js', 'packages/cli/dist/main.js'])('%s', (program) => {
  for (const version of ['18.20.8', '20.18.3']) {
    const ran = run(program, version);
    expect(ran.stderr).toBe(`millrace: Node ${version} is too old; install 20.19 or newer\n`);
    expect(ran).toMatchObject({ status: 1, stdout: '' });
  }
  for (const version of ['20.19.0', '22.0.0']) expect(run(program, version)).toMatchObject({ status: 0, stderr: '' });
  expect(engines.node).toBe('>=20.19');
});

function run(program: string, version: string) {
  const pretend = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
  return spawnSync(process.execPath, ['--import', pretend, join(root, program), 'version'], { encoding: 'utf8' });
}
