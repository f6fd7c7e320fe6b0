import { Random } from './random.js';
import { type Shape, timeOf, type TypedColumn } from './shape.js';

/**
 * Events as hosts and a cloud report them to a security team: some 60 kinds, over 300 fields of
 * which each kind has a few dozen, a long text that repeats the values, and numbers that are
 * strings in other kinds.
 */

type Value = 'word' | 'guid' | 'hex' | 'image' | 'number' | 'address' | 'account' | 'flag' | 'text' | 'mixed';

interface Field {
  readonly name: string;
  readonly value: Value;
  /** Number of different values. */
  readonly variety: number;
}

interface Kind {
  readonly id: number;
  readonly channel: string;
  readonly source: string;
  readonly fields: readonly Field[];
  readonly cloud: boolean;
  /** Whether this kind writes the fields whose types differ as numbers. */
  readonly numeric: boolean;
}

const actors = ['Source', 'Target', 'Subject', 'Parent', 'Caller', 'New', 'Old', 'Dest', 'Client', 'Logon'] as const;
const things = ['Image', 'ProcessId', 'ProcessGuid', 'UserName', 'DomainName', 'LogonId', 'Address', 'Port'] as const;
const others = [
  'Hash',
  'Company',
  'Product',
  'Status',
  'Access',
  'Object',
  'Service',
  'Share',
  'Rule',
  'Layer',
] as const;
const endings = [
  'Name',
  'Type',
  'Mask',
  'List',
  'Id',
  'Flags',
  'Count',
  'Info',
  'Value',
  'Path',
  'State',
  'Reason',
] as const;
const values: readonly Value[] = [
  'word',
  'word',
  'word',
  'guid',
  'hex',
  'image',
  'number',
  'address',
  'account',
  'flag',
  'text',
];

const names: readonly string[] = [
  ...actors.flatMap((actor) => things.map((thing) => actor + thing)),
  ...actors.flatMap((actor) => others.map((other) => actor + other)),
  ...others.flatMap((other) => endings.map((ending) => other + ending)),
];

const seededRandom = new Random(7);
const fields: readonly Field[] = names.map((name) => ({
  name,
  value: seededRandom.pick(values),
  variety: 2 + seededRandom.pickSkewed(2000),
}));
/** The classic conflict: identifiers that some sources write as numbers and others as text. */
const mixedFields: readonly Field[] = ['Task', 'Keywords', 'ThreadId', 'Opcode'].map((name) => ({
  name,
  value: 'mixed',
  variety: 60,
}));

const kinds: readonly Kind[] = Array.from({ length: 60 }, (_, i) => {
  const many = 6 + seededRandom.pickSkewed(34);
  const start = seededRandom.below(fields.length - 40);
  return {
    id: 1 + i * 37,
    channel: `Channel-${i % 12}/Operational`,
    source: `Provider-${i % 18}`,
    // Neighbours share most of their fields, as events of one source do.
    fields: [...fields.slice(start, start + many), ...mixedFields],
    cloud: i % 15 === 14,
    numeric: i % 3 === 0,
  };
});

function valueOf({ value, variety, name }: Field, random: Random, numeric: boolean): unknown {
  const choice = random.pickSkewed(variety);
  switch (value) {
    case 'word':
      return `${name}-${choice}`;
    case 'guid':
      return `{${(choice * 0x9e37_79b1).toString(16).padStart(12, '0')}-4a2b-4c6d-8e9f-0a1b2c3d4e5f}`;
    case 'hex':
      return `0x${(choice * 4093).toString(16)}`;
    case 'image':
      return `C:\\Windows\\System32\\${name.toLowerCase()}\\svc${choice}.exe`;
    case 'number':
      return choice * 4;
    case 'address':
      return `10.${choice & 15}.${choice % 251}.${choice % 13}`;
    case 'account':
      return `CORP\\user${choice}`;
    case 'flag':
      return (choice & 1) === 1;
    case 'text':
      return `rule ${choice} matched ${name} with reason ${choice % 17} in scope ${choice % 5}`;
    case 'mixed':
      return numeric ? choice : `${name} ${choice}`;
  }
}

function cloudPart(random: Random): Record<string, unknown> {
  const user = `user${random.pickSkewed(40)}`;
  return {
    awsRegion: `region-${random.below(6)}`,
    userIdentity: {
      type: 'IAMUser',
      userName: user,
      arn: `arn:aws:iam::123456789012:user/${user}`,
      sessionContext: { attributes: { mfaAuthenticated: random.chance(0.5) ? 'true' : 'false' }, sessionIssuer: {} },
    },
    requestParameters: random.chance(0.5) ? { maxResults: random.below(1000), filterSet: {} } : null,
    requestId: random.hex(32),
  };
}

function event(random: Random, index: number): string {
  const kind = kinds[random.pickSkewed(kinds.length)]!;
  const own: Record<string, unknown> = {};
  for (const field of kind.fields) if (random.chance(0.9)) own[field.name] = valueOf(field, random, kind.numeric);
  const host = `host-${random.pickSkewed(40)}.corp.example`;
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${String(value)}`);
  return JSON.stringify({
    _time: timeOf(random, index, 50_000),
    EventID: kind.id,
    Channel: kind.channel,
    SourceName: kind.source,
    Hostname: host,
    Severity: random.chance(0.9) ? 'INFO' : 'WARNING',
    RecordNumber: 1_000_000 + index,
    tags: random.chance(0.3) ? ['mordor', 'sensor'] : ['sensor'],
    ...own,
    ...(kind.cloud && cloudPart(random)),
    Message: `${kind.source} reported event ${kind.id} on ${host}.\r\n\r\n${lines.join('\r\n')}`,
  });
}

const clickhouse: Readonly<Record<Value, string>> = {
  word: 'LowCardinality(Nullable(String))',
  guid: 'LowCardinality(Nullable(String))',
  hex: 'LowCardinality(Nullable(String))',
  image: 'LowCardinality(Nullable(String))',
  number: 'Nullable(Int64)',
  address: 'LowCardinality(Nullable(String))',
  account: 'LowCardinality(Nullable(String))',
  flag: 'Nullable(Bool)',
  text: 'LowCardinality(Nullable(String))',
  // A hand-made table has one type per column: numbers become text.
  mixed: 'LowCardinality(Nullable(String))',
};

const text = (name: string): TypedColumn => ({ name, type: 'LowCardinality(Nullable(String))', duck: 'VARCHAR' });
const number = (name: string): TypedColumn => ({ name, type: 'Nullable(Int64)', duck: 'BIGINT' });

export const security: Shape = {
  name: 'security',
  title: 'Security events',
  event,
  sortKey: '_time',
  flat: false,
  columns: [
    { name: '_time', type: "DateTime64(6, 'UTC')", duck: 'TIMESTAMP' },
    number('EventID'),
    text('Channel'),
    text('SourceName'),
    text('Hostname'),
    text('Severity'),
    number('RecordNumber'),
    { name: 'tags', type: 'Array(LowCardinality(String))', duck: 'VARCHAR[]' },
    ...[...fields, ...mixedFields].map(({ name, value }): TypedColumn => ({
      name,
      type: clickhouse[value],
      duck: value === 'number' ? 'BIGINT' : value === 'flag' ? 'BOOLEAN' : 'VARCHAR',
    })),
    text('awsRegion'),
    { name: 'userIdentity', type: 'Nullable(String)', duck: 'JSON' },
    { name: 'requestParameters', type: 'Nullable(String)', duck: 'JSON' },
    { name: 'requestId', type: 'Nullable(String)', duck: 'VARCHAR' },
    { name: 'Message', type: 'Nullable(String)', duck: 'VARCHAR' },
  ],
};
