import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPresent } from '../libraries.ts';
import type { Agent, Command, Place } from './agent.ts';

/**
 * syslog-ng, over syslog and with its output for HTTP, which sends envelopes of Splunk's event
 * collector.
 */

const program = process.env['SYSLOG_NG'] ?? 'syslog-ng';
/** Where its modules and its definitions are, if not in their usual places. */
const modules = process.env['SYSLOG_NG_MODULES'];
const include = process.env['SYSLOG_NG_INCLUDE'];
const places = modules === undefined ? [] : ['--module-path', modules];
const isHere = () => isPresent(program, ...places, '--version');

function command({ input, directory }: Place, destination: string): Command {
  const file = join(directory, 'syslog-ng.conf');
  const configuration = [
    '@version: 3.35',
    ...(include === undefined ? [] : [`@define include-path "${include}"`]),
    'options { stats-freq(0); time-reopen(1); keep-timestamp(yes); };',
    `source input { file("${input}" follow-freq(1) flags(no-parse) program-override("test")); };`,
    `destination millrace { ${destination} };`,
    'log { source(input); destination(millrace); flags(flow-control); };',
  ];
  writeFileSync(file, configuration.join('\n'));
  const own = (option: string, name: string) => [option, join(directory, name)];
  return {
    program,
    args: [
      '--foreground',
      '--no-caps',
      '--cfgfile',
      file,
      ...places,
      ...own('--persist-file', 'persist'),
      ...own('--pidfile', 'pid'),
      ...own('--control', 'control'),
    ],
  };
}

export const syslogNg: Agent = {
  isHere,
  isAnswered: false,
  command: (place) => command(place, `syslog("${place.host}" port(${place.ports.syslog}) transport("tcp"));`),
};

export const syslogNgHttp: Agent = {
  isHere,
  isAnswered: true,
  command: (place) =>
    command(
      place,
      `http(url("http://${place.host}:${place.ports.http}/services/collector/event") method("POST")
        headers("Authorization: Splunk ${place.token}" "Content-Type: application/json")
        body('{"time":$S_UNIXTIME.$S_USEC,"index":"${place.dataset}","host":"$HOST","event":$(format-json message=$MSG application=$PROGRAM)}')
        batch-lines(1000) batch-timeout(500) retries(1000000) timeout(20));`,
    ),
};
