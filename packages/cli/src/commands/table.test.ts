import { beforeAll, describe, expect, it } from 'vitest';
import { helpText } from '../command/help.js';
import { optionsOf, parse } from '../command/parse.js';
import { commands } from './every-command.js';

// Loaded up front for the help of `serve`: compiling it from source takes a while.
beforeAll(() => import('@millrace/server'), 120_000);

/** Requirements for every command. */
describe.each(commands.map((command) => [command.name, command] as const))('%s', (name, command) => {
  it('has a one-sentence summary', () => expect(command.summary).toMatch(/^[A-Z].*\.$/));

  it('has unique option letters', () => {
    const letters = Object.values(optionsOf(command)).flatMap(({ short }) => short ?? []);
    expect(new Set(letters).size).toBe(letters.length);
  });

  it('documents options and arguments in sentences', () => {
    for (const { doc } of [...Object.values(command.options), ...Object.values(command.args)])
      expect(doc).toMatch(/^(?:[A-Z-].*\.|.+ all\. .*\.)$/);
  });

  it('has examples that parse', () => {
    expect(command.examples.length).toBeGreaterThan(0);
    for (const { command: line } of command.examples) {
      const [, called] = /millrace ((?:'[^']*'|[^'|>])*)/.exec(line) ?? [];
      const parsed = parse(shellWords(called ?? ''), commands);
      expect(parsed).toMatchObject({ kind: 'call', command: { name } });
    }
  });

  it('has help no wider than a terminal', async () => {
    const help = await helpText(name.split(' '), commands);
    expect(help).toContain(`millrace ${name}`);
    for (const line of help.split('\n'))
      if (!line.startsWith('  millrace')) expect(line.length).toBeLessThanOrEqual(100);
  });
});

it('the help of serve formats defaults as they may be written', async () => {
  const help = await helpText(['serve'], commands);
  expect(help.replaceAll(/\s+/g, ' ')).toMatch(/--port N Listen port.* Default: 8080\. --tls-cert TEXT /);
  expect(help).toMatch(/--max-body-bytes .* Default: 64MiB\./);
  expect(help.replaceAll(/\s+/g, ' ')).toMatch(/--query-timeout .* Default: 1m\./);
  expect(help).toMatch(/--auth-failure-status 403\|401 /);
  expect(help).toMatch(/--auto-create-datasets {2}/);
  expect(help).not.toMatch(/undefined|\[object/);
});

/** Splits a line like a shell; single quotes only. */
const shellWords = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|([^\s']+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
