/** Visible series of a chart: all, one, or all but some. */
export interface SeriesChoice {
  readonly only?: string;
  readonly without: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();
export const allSeries: SeriesChoice = { without: nothing };

export const isShown = ({ only, without }: SeriesChoice, name: string): boolean =>
  only === undefined ? !without.has(name) : only === name;

/** Isolates one series, or shows all if it is already isolated. */
export const isolate = ({ only }: SeriesChoice, name: string): SeriesChoice =>
  only === name ? allSeries : { only: name, without: nothing };

/** Toggles one series. */
export function toggleSeries(choice: SeriesChoice, names: readonly string[], name: string): SeriesChoice {
  const hidden = new Set(names.filter((each) => !isShown(choice, each)));
  if (!hidden.delete(name)) hidden.add(name);
  // A chart without lines would be useless.
  return names.every((each) => hidden.has(each)) ? allSeries : { without: hidden };
}
