/** Durations and sizes as LogQL writes them, and Go programs. */

const nanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
  d: 24 * 3600e9,
  w: 7 * 24 * 3600e9,
  y: 365 * 24 * 3600e9,
};

const part = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d|w|y)/y;

/** Nanoseconds; undefined for a text that is no duration. */
export function durationOf(text: string): number | undefined {
  const [, sign, digits] = /^(-?)(.*)$/s.exec(text)!;
  if (digits === '0') return 0;
  let sum = 0;
  part.lastIndex = 0;
  for (let at = 0; at < digits!.length; at = part.lastIndex) {
    const match = part.exec(digits!);
    if (match === null) return undefined;
    sum += Number(match[1]) * nanoseconds[match[2]!]!;
  }
  return digits === '' ? undefined : sign === '-' ? -sum : sum;
}

const letters = ['', 'k', 'm', 'g', 't', 'p', 'e'];

/** Bytes; undefined for a text that is no size. */
export function bytesOf(text: string): number | undefined {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*([kmgtpe]?)(i?)b?\s*$/i.exec(text);
  if (match === null || (match[2] === '' && match[3] !== '')) return undefined;
  return Number(match[1]) * (match[3] === '' ? 1000 : 1024) ** letters.indexOf(match[2]!.toLowerCase());
}
