/** Bar charts as SVG, without a library: one group of bars per row, one bar per system. */

export interface Bar {
  readonly system: string;
  readonly value: number;
}

export interface Group {
  readonly label: string;
  readonly bars: readonly Bar[];
}

const colours = ['#0b6e4f', '#c8553d', '#8d99ae', '#edae49', '#5f6b8a'] as const;
const width = 860;
const labelWidth = 300;
const barHeight = 12;
const gap = 10;
const top = 56;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * @param format prints the value at the end of its bar
 * @param title says the unit and which way is better
 */
export function barChart(title: string, groups: readonly Group[], format: (value: number) => string): string {
  const systems = [...new Set(groups.flatMap(({ bars }) => bars.map(({ system }) => system)))];
  const colour = (system: string): string => colours[systems.indexOf(system) % colours.length]!;
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)), Number.MIN_VALUE);
  const scale = (width - labelWidth - 90) / most;
  const shapes: string[] = [];
  let y = top;
  for (const { label, bars } of groups) {
    const middle = y + (bars.length * barHeight) / 2 + 4;
    shapes.push(`<text x="${labelWidth - 8}" y="${middle}" text-anchor="end">${escape(label)}</text>`);
    for (const { system, value } of bars) {
      const length = Math.max(1, value * scale).toFixed(1);
      shapes.push(
        `<rect x="${labelWidth}" y="${y}" width="${length}" height="${barHeight - 2}" fill="${colour(system)}"/>`,
        `<text x="${labelWidth + Number(length) + 5}" y="${y + barHeight - 3}" class="v">${escape(format(value))}</text>`,
      );
      y += barHeight;
    }
    y += gap;
  }
  let x = labelWidth;
  const legend = systems.map((system) => {
    const at = x;
    x += 24 + system.length * 7;
    return `<rect x="${at}" y="30" width="10" height="10" fill="${colour(system)}"/><text x="${at + 14}" y="39">${escape(system)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img">`,
    '<style>text{font:12px system-ui,sans-serif;fill:#222}.v{font-size:10px}.t{font-size:14px;font-weight:600}</style>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="12" y="18" class="t">${escape(title)}</text>`,
    ...legend,
    ...shapes,
    '</svg>',
    '',
  ].join('\n');
}
