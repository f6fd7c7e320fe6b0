/** Which series of a chart are drawn: all, one alone, or all but some. */
export interface SeriesChoice {
  readonly only?: string;
  readonly without: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();
export const allSeries: SeriesChoice = { without: nothing };

export const isShown = ({ only, without }: SeriesChoice, name: string): boolean =>
  only === undefined ? !without.has(name) : only === name;

/** One alone; all of them again when it is alone already. */
export const isolated = ({ only }: SeriesChoice, name: string): SeriesChoice =>
  only === name ? allSeries : { only: name, without: nothing };

/** One more or one fewer. */
export function toggled(choice: SeriesChoice, names: readonly string[], name: string): SeriesChoice {
  const hidden = new Set(names.filter((each) => !isShown(choice, each)));
  if (!hidden.delete(name)) hidden.add(name);
  // A chart without any line says nothing.
  return names.every((each) => hidden.has(each)) ? allSeries : { without: hidden };
}
