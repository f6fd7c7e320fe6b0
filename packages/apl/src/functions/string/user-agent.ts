import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { defineOverload, param } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';

/**
 * How a program names itself: its name here, and where its version stands. The first that matches
 * counts: most browsers also claim to be others.
 */
type Family = readonly [name: string, version: string];

const browsers: readonly Family[] = [
  ['Edge', 'Edg(?:e|A|iOS)?/([0-9.]+)'],
  ['Opera', '(?:OPR|Opera)/([0-9.]+)'],
  ['Samsung Internet', 'SamsungBrowser/([0-9.]+)'],
  ['Googlebot', 'Googlebot/([0-9.]+)'],
  ['bingbot', 'bingbot/([0-9.]+)'],
  ['Chrome', '(?:Chrome|CriOS)/([0-9.]+)'],
  ['Firefox', '(?:Firefox|FxiOS)/([0-9.]+)'],
  ['Safari', 'Version/([0-9.]+).*Safari/'],
  ['IE', '(?:MSIE |Trident/.*rv:)([0-9.]+)'],
  ['curl', '^curl/([0-9.]+)'],
  ['Wget', '^Wget/([0-9.]+)'],
  ['Python Requests', 'python-requests/([0-9.]+)'],
  ['Go-http-client', 'Go-http-client/([0-9.]+)'],
  ['okhttp', 'okhttp/([0-9.]+)'],
  ['PostmanRuntime', 'PostmanRuntime/([0-9.]+)'],
  ['PowerShell', 'PowerShell/([0-9.]+)'],
];

const systems: readonly Family[] = [
  ['Windows', 'Windows NT ([0-9.]+)'],
  ['iOS', '(?:iPhone|iPad|iPod).* OS ([0-9_]+)'],
  ['Mac OS X', 'Mac OS X ([0-9_.]+)'],
  ['Android', 'Android ([0-9.]+)'],
  ['Chrome OS', 'CrOS [^ ]+ ([0-9.]+)'],
  ['Linux', 'Linux()'],
];

const devices: readonly Family[] = [
  ['iPhone', 'iPhone()'],
  ['iPad', 'iPad()'],
  ['Spider', '(?i)(?:bot|crawler|spider)()'],
  ['Mac', 'Macintosh()'],
];

const parts = {
  Browser: { from: browsers, versions: ['MajorVersion', 'MinorVersion', 'Patch'] },
  OperatingSystem: { from: systems, versions: ['MajorVersion', 'MinorVersion', 'Patch', 'PatchMinor'] },
  Device: { from: devices, versions: ['Brand', 'Model'] },
} as const;

/** Names of the parts, and the part of the result. */
const partsByName: ReadonlyMap<string, keyof typeof parts> = new Map([
  ['browser', 'Browser'],
  ['os', 'OperatingSystem'],
  ['device', 'Device'],
]);

/** JSON text of one part. */
function partOf(agent: Expr, { from, versions }: (typeof parts)[keyof typeof parts]): Expr {
  const families = from.flatMap(([name, pattern]) => [call('match', agent, literal(pattern)), literal(name)]);
  const numbers = from.flatMap(([, pattern]) => [
    call('match', agent, literal(pattern)),
    call('extract', agent, literal(pattern)),
  ]);
  const version = call('splitByRegexp', literal('[._]'), call('multiIf', ...numbers, literal('')));
  return shareSubexpression(version, (numbersOfVersion) => {
    const members = versions.flatMap((name, i) => [
      literal(`,"${name}":`),
      call('toJSONString', call('arrayElement', numbersOfVersion, integer(i + 1))),
    ]);
    const family = call('toJSONString', call('multiIf', ...families, literal('Other')));
    return call('concat', literal('{"Family":'), family, ...members, literal('}'));
  });
}

/** The requested parts, in one string or an array of strings. */
function soughtIn({ constant }: LoweredArgument): readonly (keyof typeof parts)[] | undefined {
  if (typeof constant !== 'string') return undefined;
  const names: unknown = constant.startsWith('[') ? JSON.parse(constant) : [constant];
  const found = Array.isArray(names) ? names.map((name) => partsByName.get(String(name).toLowerCase())) : [];
  return found.length === 0 || found.includes(undefined) ? undefined : found.filter((name) => name !== undefined);
}

const overload = (type: 'string' | 'array') =>
  defineOverload({
    params: [param('userAgent', 'string'), param('lookFor', type, { constant: true })],
    returns: 'bag',
    check: ([, lookFor]) =>
      soughtIn(lookFor) !== undefined
        ? undefined
        : { argument: 1, message: 'parse_user_agent looks for "browser", "os", "device", or dynamic([…]) of these' },
    lower: ([agent, lookFor]) => {
      const sought = soughtIn(lookFor) ?? [];
      const text = column('agent');
      const json = sought.flatMap((name, i) => [
        literal(`${i === 0 ? '{' : ','}"${name}":`),
        partOf(text, parts[name]),
      ]);
      const bag = call('concat', ...json, literal('}'));
      const found = call(
        'arrayElement',
        call('arrayMap', lambda(['agent'], bag), call('array', call('ifNull', agent.sql, literal('')))),
        integer(1),
      );
      return call('if', call('isNull', agent.sql), nullOf('bag'), found);
    },
  });

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:53.0) Gecko/20100101 Firefox/53.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';

export const userAgent: FunctionRecord = {
  name: 'parse_user_agent',
  summary:
    'What a user agent says of the "browser", the "os" or the "device": an object of Browser, OperatingSystem, Device.',
  overloads: [overload('string'), overload('array')],
  examples: [
    {
      apl: `parse_user_agent("${FIREFOX}", "browser")`,
      gives: { Browser: { Family: 'Firefox', MajorVersion: '53', MinorVersion: '0', Patch: '' } },
    },
    {
      apl: `parse_user_agent("${IPHONE}", dynamic(["os", "device"]))`,
      gives: {
        OperatingSystem: { Family: 'iOS', MajorVersion: '17', MinorVersion: '4', Patch: '1', PatchMinor: '' },
        Device: { Family: 'iPhone', Brand: '', Model: '' },
      },
    },
    { apl: `parse_user_agent("${IPHONE}", "browser").Browser.Family`, gives: 'Safari' },
    { apl: 'parse_user_agent("curl/8.5.0", "browser").Browser.MajorVersion', gives: '8' },
    { apl: 'parse_user_agent("", "os").OperatingSystem.Family', gives: 'Other' },
  ],
  differs: {
    axiom: 'Not in Axiom.',
    kusto:
      'Knows the common programs, not the hundreds of rare ones. The version of Windows is that of NT, such as 10.0.',
  },
};
