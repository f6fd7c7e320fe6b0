/**
 * The canonical form of arrays and objects, implemented independently of the encoder: for values
 * that were stored as their clients formatted them, and for tests of the encoder.
 */

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{}:,]/g;

/** The stored form of the JSON of a value. */
export function canonicalJson(json: string): string {
  const tokens = json.match(TOKENS) ?? [];
  let at = 0;
  const value = (): string => {
    const token = tokens[at++]!;
    if (token === '[') return `[${items(']', value).join(',')}]`;
    if (token === '{') return `{${lastOfEach(items('}', member)).join(',')}}`;
    if (token.startsWith('"')) return textOf(token);
    return /^[-\d]/.test(token) ? canonicalNumber(token) : token;
  };
  const member = (): readonly [string, string] => {
    const name = textOf(tokens[at++]!);
    at++;
    return [name, `${name}:${value()}`];
  };
  const items = <T>(end: string, one: () => T): T[] => {
    const found: T[] = [];
    while (tokens[at] !== end) {
      found.push(one());
      if (tokens[at] === ',') at++;
    }
    at++;
    return found;
  };
  return value();
}

/** Of the members of one name the last, where that stands. */
function lastOfEach(members: readonly (readonly [string, string])[]): readonly string[] {
  const last = new Map(members.map(([name], i) => [name, i]));
  return members.flatMap(([name, text], i) => (last.get(name) === i ? [text] : []));
}

/** The text of a string, with U+FFFD for lone surrogates. */
const textOf = (token: string): string => JSON.stringify(Buffer.from(JSON.parse(token) as string).toString());

function canonicalNumber(text: string): string {
  if (!Number.isFinite(Number(text))) return 'null';
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)!;
  const significant = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return '0';
  const point = significant.length - fraction.length + Number(exponent);
  if (point > 21 || point <= -6) return `${sign}${digits.replace(/^(.)(.+)$/, '$1.$2')}e${point - 1}`;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (digits.length > point) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  const integer = `${sign}${digits.padEnd(point, '0')}`;
  return BigInt.asIntN(64, BigInt(integer)) === BigInt(integer) ? integer : `${integer}e0`;
}
