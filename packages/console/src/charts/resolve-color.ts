/**
 * A color for a canvas, which knows neither custom properties nor mixes of them: `var(--red)` or
 * `color-mix(in oklab, var(--red) 60%, var(--bg0))`, with properties that are `#rrggbb`.
 */
export function resolveColor(color: string, property: (name: string) => string): string {
  const [one, other] = [...color.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => property(name!).trim());
  if (one === undefined) return color;
  if (other === undefined) return one;
  const share = Number(/(\d+)%/.exec(color)?.[1] ?? 50) / 100;
  const channel = (hex: string, index: number): number => Number.parseInt(hex.slice(1 + 2 * index, 3 + 2 * index), 16);
  const mixed = [0, 1, 2].map((index) => Math.round(share * channel(one, index) + (1 - share) * channel(other, index)));
  return `#${mixed.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
}
