import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPresent } from '../libraries.ts';
import type { Agent, Command, Place } from './agent.ts';

/**
 * rsyslog, over syslog and with its output for Elasticsearch. Both try again for as long as it
 * takes.
 */

const modules = process.env['RSYSLOG_MODULES'] ?? '/usr/lib/x86_64-linux-gnu/rsyslog';
const isHere = () => isPresent('rsyslogd', '-v');

function command({ input, directory }: Place, output: readonly string[]): Command {
  const file = join(directory, 'rsyslog.conf');
  const read = [
    'module(load="imfile" mode="inotify")',
    `global(workDirectory="${directory}")`,
    `input(type="imfile" File="${input}" Tag="test" Severity="notice" Facility="local0")`,
  ];
  writeFileSync(file, [...read, ...output].join('\n'));
  return { program: 'rsyslogd', args: ['-n', '-f', file, '-i', join(directory, 'pid')] };
}

const retrySettings =
  'action.resumeRetryCount="-1" action.resumeInterval="1" queue.type="LinkedList" queue.size="100000"';

export const rsyslog: Agent = {
  isHere,
  isAnswered: false,
  command: (place) =>
    command(place, [
      `action(type="omfwd" target="${place.host}" port="${place.ports.syslog}" protocol="tcp" template="RSYSLOG_SyslogProtocol23Format" TCP_Framing="octet-counted" ${retrySettings})`,
    ]),
};

const elasticOutput = join(modules, 'omelasticsearch.so');

export const rsyslogElasticsearch: Agent = {
  async isHere() {
    if (existsSync(elasticOutput)) return isHere();
    process.stdout.write(`not run: ${elasticOutput} is not on this machine\n`);
    return false;
  },
  isAnswered: true,
  dropsRefused: true,
  command: (place) =>
    command(place, [
      `module(load="${elasticOutput}")`,
      'template(name="json" type="list" option.jsonf="on") { property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf") property(outname="message" name="msg" format="jsonf") }',
      `action(type="omelasticsearch" server="http://${place.host}:${place.ports.http}/elastic" uid="axiom" pwd="${place.token}" template="json" bulkmode="on" searchIndex="${place.dataset}" searchType="" ${retrySettings})`,
    ]),
};
