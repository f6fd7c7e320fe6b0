/** Consistent colors for values in charts. */

/**
 * Series numbers in order of use. The last two look like the color of errors in one of the themes:
 * they are used only when the others are taken, and never for services.
 */
const SERIES = [1, 3, 5, 6, 7, 8, 2, 4] as const;
const PLAIN = 6;

const colorPatterns: readonly (readonly [RegExp, string])[] = [
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

/** Shades of further values of a class, such as 404 next to 400: same hue, other lightness. */
const SHADES = ['60%, var(--text1)', '65%, var(--bg0)', '35%, var(--text1)'] as const;

const shade = (color: string, index: number): string =>
  index === 0 ? color : `color-mix(in oklab, ${color} ${SHADES[Math.min(index, SHADES.length) - 1]})`;

/** Colors for services: never that of an error, also for a service called `error-reporter`. */
export function serviceColors(services: readonly string[]): readonly string[] {
  const taken = new Set<number>();
  return services.map((name) => series(name, taken, PLAIN));
}

/** Color by a hash of the name; on a collision the next free one of the first `free`. */
function series(name: string, taken: Set<number>, free: number): string {
  let index = hash(name) % PLAIN;
  for (let tries = 0; taken.has(index) && tries < free; tries++) index = (index + 1) % free;
  taken.add(index);
  return `var(--series-${SERIES[index]})`;
}

/**
 * Colors for values, in order of size: levels and status classes have conventional colors, others a
 * hash of their name; on a collision the smaller value gets the next free color.
 *
 * @param missing name of the group without a value, which is gray
 */
export function colorsOf(values: readonly string[], missing?: string): readonly string[] {
  if (values.length === 1 && values[0] === '') return ['var(--accent)'];
  const taken = new Set<number>();
  const used = new Map<string, number>();
  return values.map((value) => {
    if (value === 'other' || value === missing) return 'var(--line-strong)';
    const meant = colorPatterns.find(([pattern]) => pattern.test(value))?.[1];
    if (meant !== undefined) {
      const index = used.get(meant) ?? 0;
      used.set(meant, index + 1);
      return shade(meant, index);
    }
    return series(value, taken, taken.size < PLAIN ? PLAIN : SERIES.length);
  });
}
