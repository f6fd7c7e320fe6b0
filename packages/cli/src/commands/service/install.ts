import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { command } from '../../command/command.js';
import { Failure, usage } from '../../failure.js';
import { environmentPath, hiddenFrom, serviceUnit, unitPath } from '../../service/unit.js';
import { jsonOption } from '../json-option.js';
import { requireOwnUnit, rootOption } from './written-unit.js';

export const serviceInstall = command({
  name: 'service install',
  summary: 'Write a systemd unit for a server.',
  description:
    `Writes ${unitPath}, and ${environmentPath} with a token of the owner if that file is missing. Starts nothing; prints the commands that do. ` +
    'The unit runs this command with this Node, both of which must be outside of home directories.',
  options: {
    dataDir: { type: 'text', metavar: 'DIR', default: '/var/lib/millrace', doc: 'Data directory of the server.' },
    user: { type: 'text', metavar: 'NAME', default: 'millrace', doc: 'User of the service.' },
    print: { type: 'flag', doc: 'Print the unit and write nothing.' },
    root: rootOption,
    json: jsonOption,
  },
  examples: [
    { command: 'sudo millrace service install', doc: 'Then run the commands that it prints' },
    { command: 'millrace service install --print', doc: 'Look at the unit' },
  ],
  run: async ({ io, options: { dataDir, user, print, root, json } }) => {
    if (!isAbsolute(dataDir)) throw usage(`--data-dir must be an absolute path, not '${dataDir}'`);
    if (!/^[a-z_][\w-]*$/.test(user)) throw usage(`--user: '${user}' cannot be the name of a user`);
    const node = realpathSync(process.execPath);
    const program = realpathSync(process.argv[1] ?? '');
    const unit = serviceUnit({ node, program, user, dataDir, environmentFile: environmentPath });
    if (print) {
      await io.out.write(unit);
      return 'done';
    }
    // Another system has its own programs.
    for (const path of root === '/' ? [node, program] : [])
      if (hiddenFrom(path))
        throw new Failure(
          'failed',
          `a service cannot read ${path}; install Node and Millrace for all users, as with npm install --global --prefix /opt/millrace, and run this command there`,
        );
    const [unitFile, environment] = [join(root, unitPath), join(root, environmentPath)];
    requireOwnUnit(unitFile, root);
    mkdirSync(dirname(unitFile), { recursive: true });
    writeFileSync(unitFile, unit, { mode: 0o644 });
    if (!existsSync(environment))
      writeFileSync(environment, `MILLRACE_ADMIN_TOKEN=xapt-${randomUUID()}\n`, { mode: 0o600 });
    const next = [
      ...(hasUser(user, root)
        ? []
        : [`useradd --system --home-dir ${dataDir} --no-create-home --shell /usr/sbin/nologin ${user}`]),
      ...(dataDir.startsWith('/var/lib/') ? [] : [`install -d -m 700 -o ${user} ${dataDir}`]),
      'systemctl daemon-reload',
      'systemctl enable --now millrace',
    ];
    if (json) await io.out.write(`${JSON.stringify({ unit: unitFile, environment, next })}\n`);
    else
      await io.out.write(
        `Written: ${unitFile}, and settings with the owner's token in ${environment}. Next:\n\n${next.map((line) => `  ${line}\n`).join('')}\n`,
      );
    return 'done';
  },
});

const hasUser = (name: string, root: string): boolean => {
  const file = join(root, '/etc/passwd');
  return (
    existsSync(file) &&
    readFileSync(file, 'utf8')
      .split('\n')
      .some((line) => line.startsWith(`${name}:`))
  );
};
