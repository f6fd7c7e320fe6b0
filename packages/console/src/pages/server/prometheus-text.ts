/** One scrape of `/metrics`: the value of each series by name and labels. */
export interface Scrape {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly series: readonly Series[];
}

interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses the Prometheus text format. Skips unknown lines. */
export function readPrometheusText(text: string, at: number): Scrape {
  const series: Series[] = [];
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
    if (!Number.isNaN(number)) series.push({ name, labels: readLabels(labels), value: number });
  }
  return { at, series };
}

const readLabels = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter)),
    ]),
  );

/** Sum of a metric over its labels; undefined if the server lacks it. */
export function total(scrape: Scrape, name: string): number | undefined {
  const found = scrape.series.filter((each) => each.name === name);
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

/** Rate of a counter between two scrapes, per second. A restart resets it to 0. */
export function rate(before: Scrape, after: Scrape, name: string): number | undefined {
  const [from, to] = [total(before, name), total(after, name)];
  if (from === undefined || to === undefined || after.at <= before.at) return undefined;
  return ((to < from ? to : to - from) / (after.at - before.at)) * 1000;
}

/** Quantile of a histogram between two scrapes: the upper bound of its bucket. */
export function quantile(before: Scrape, after: Scrape, name: string, share: number): number | undefined {
  const growth = new Map<number, number>();
  for (const [scrape, sign] of [
    [after, 1],
    [before, -1],
  ] as const)
    for (const each of scrape.series) {
      if (each.name !== `${name}_bucket`) continue;
      const bound = each.labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(each.labels['le']);
      growth.set(bound, (growth.get(bound) ?? 0) + sign * each.value);
    }
  const bounds = [...growth.keys()].toSorted((a, b) => a - b);
  const all = growth.get(Number.POSITIVE_INFINITY) ?? 0;
  if (all <= 0) return undefined;
  return bounds.find((bound) => growth.get(bound)! >= all * share);
}
