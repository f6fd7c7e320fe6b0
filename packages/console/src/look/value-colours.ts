/** The colour of a value in charts: the same one everywhere. */

const SERIES = 8;
/** The last ones are darker or paler than another, and used only when those before are. */
const PLAIN = 6;

const known: readonly (readonly [RegExp, string])[] = [
  [/^(err|error|fatal|crit|critical|panic|alert|emerg)/i, 'var(--red)'],
  [/^warn/i, 'var(--amber)'],
  [/^(info|notice)/i, 'var(--blue)'],
  [/^(debug|trace)/i, 'var(--violet)'],
  [/^(ok|success|true|unset)$/i, 'var(--green)'],
  [/^5\d\d$/, 'var(--red)'],
  [/^4\d\d$/, 'var(--amber)'],
  [/^3\d\d$/, 'var(--blue)'],
  [/^2\d\d$/, 'var(--green)'],
];

const hash = (text: string): number => {
  let sum = 0;
  for (const letter of text) sum = (Math.imul(sum, 31) + letter.codePointAt(0)!) >>> 0;
  return sum;
};

/**
 * Colours for values, in order of size: levels and classes of status have the colours that people
 * expect, the others one by their name, and of two with the same the smaller one gets the next that
 * is free.
 */
export function coloursOf(values: readonly string[]): readonly string[] {
  if (values.length === 1 && values[0] === '') return ['var(--accent)'];
  const taken = new Set<number>();
  return values.map((value) => {
    const meant = known.find(([pattern]) => pattern.test(value))?.[1];
    if (meant !== undefined) return meant;
    if (value === 'other' || value === 'null') return 'var(--line-strong)';
    const free = taken.size < PLAIN ? PLAIN : SERIES;
    let index = hash(value) % PLAIN;
    for (let tries = 0; taken.has(index) && tries < free; tries++) index = (index + 1) % free;
    taken.add(index);
    return `var(--series-${index + 1})`;
  });
}
