/**
 * Charts of ratios as SVG, without a library: one group of bars per figure, one bar per yardstick.
 */

export interface Bar {
  readonly system: string;
  /** How many times as good as its yardstick ours is. */
  readonly advantage: number;
  /** Label at the end of the bar. */
  readonly text: string;
}

export interface Group {
  readonly label: string;
  readonly bars: readonly Bar[];
}

const colors = ['#c8553d', '#8d99ae', '#edae49', '#0b6e4f', '#5f6b8a'] as const;
const width = 860;
const left = 340;
const right = width - 50;
const barHeight = 12;
const gap = 10;
const top = 92;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** `1/4`, `1`, `4`: powers of two. */
const power = (exponent: number): string => (exponent < 0 ? `1/${2 ** -exponent}` : String(2 ** exponent));

/**
 * Bars that start at one: to the right where ours is better, to the left where the yardstick is.
 * The scale is logarithmic: twice and half as good are equally far from equal, and a ratio of a
 * hundred does not squeeze the others.
 */
export function ratioChart(title: string, groups: readonly Group[]): string {
  const bars = groups.flatMap((group) => group.bars);
  const systems = [...new Set(bars.map(({ system }) => system))];
  const color = (system: string): string => colors[systems.indexOf(system) % colors.length]!;
  const exponents = bars.map(({ advantage }) => Math.log2(advantage));
  const from = Math.min(-1, Math.floor(Math.min(...exponents)));
  const to = Math.max(1, Math.ceil(Math.max(...exponents)));
  const x = (exponent: number): number => left + ((exponent - from) / (to - from)) * (right - left);
  const shapes: string[] = [];
  let y = top;
  for (const { label, bars } of groups) {
    const middle = y + (bars.length * barHeight) / 2 + 4;
    // Left of the numbers that stand at the left ends of bars.
    shapes.push(`<text x="${left - 42}" y="${middle}" text-anchor="end">${escape(label)}</text>`);
    for (const { system, advantage, text } of bars) {
      const [one, end] = [x(0), x(Math.log2(advantage))];
      const length = Math.max(1, Math.abs(end - one)).toFixed(1);
      const [at, anchor] = end < one ? [end - 4, 'end'] : [end + 4, 'start'];
      shapes.push(
        `<rect x="${Math.min(one, end).toFixed(1)}" y="${y}" width="${length}" height="${barHeight - 2}" fill="${color(system)}"/>`,
        `<text x="${at.toFixed(1)}" y="${y + barHeight - 3}" text-anchor="${anchor}" class="v">${escape(text)}</text>`,
      );
      y += barHeight;
    }
    y += gap;
  }
  // At most eight, so that their numbers do not touch.
  const step = Math.ceil((to - from) / 8);
  const grid = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    .filter((exponent) => exponent % step === 0)
    .map(
      (exponent) =>
        `<line x1="${x(exponent).toFixed(1)}" x2="${x(exponent).toFixed(1)}" y1="${top - 8}" y2="${y}" stroke="${exponent === 0 ? '#222' : '#ddd'}"/>` +
        `<text x="${x(exponent).toFixed(1)}" y="${top - 14}" text-anchor="middle" class="v">${power(exponent)}</text>`,
    );
  let place = 12;
  const legend = systems.map((system) => {
    const at = place;
    place += 24 + system.length * 7;
    return `<rect x="${at}" y="46" width="10" height="10" fill="${color(system)}"/><text x="${at + 14}" y="55">${escape(system)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img">`,
    '<style>text{font:12px system-ui,sans-serif;fill:#222}.v{font-size:10px}.t{font-size:14px;font-weight:600}</style>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="12" y="18" class="t">${escape(title)}: how many times as good as each yardstick Millrace is</text>`,
    '<text x="12" y="36">Right of the black line Millrace is better, left of it the yardstick is. The numbers are the ratios of the table.</text>',
    ...grid,
    ...legend,
    ...shapes,
    '</svg>',
    '',
  ].join('\n');
}
