/** Labels of a series, in the order of their names; none is empty. */
export type Labels = ReadonlyMap<string, string>;

export const metricName = '__name__';

export const noLabels: Labels = new Map();

/** Labels from pairs; those without a value are left out, of equal names the last counts. */
export function labelsOf(pairs: Iterable<readonly [string, string]>): Labels {
  const kept = new Map<string, string>();
  for (const [name, value] of pairs)
    if (value === '') kept.delete(name);
    else kept.set(name, value);
  return new Map([...kept].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Equal labels give equal texts. */
export function labelsKey(labels: Labels): string {
  let key = '';
  for (const [name, value] of labels) key += `${name}\0${value}\0`;
  return key;
}

export const withoutLabels = (labels: Labels, names: ReadonlySet<string>): Labels =>
  new Map([...labels].filter(([name]) => !names.has(name)));

export const onlyLabels = (labels: Labels, names: ReadonlySet<string>): Labels =>
  new Map([...labels].filter(([name]) => names.has(name)));

const nameOnly: ReadonlySet<string> = new Set([metricName]);

export const withoutName = (labels: Labels): Labels =>
  labels.has(metricName) ? withoutLabels(labels, nameOnly) : labels;

/** Labels as Prometheus prints them. */
export function shownLabels(labels: Labels): string {
  const name = labels.get(metricName) ?? '';
  const others = [...withoutName(labels)].map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return others.length === 0 && name !== '' ? name : `${name}{${others.join(', ')}}`;
}
