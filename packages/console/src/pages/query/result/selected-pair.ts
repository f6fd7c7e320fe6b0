/** The two selected rows in order; undefined for other selections. */
export function selectedPair(selected: ReadonlySet<number>): readonly [number, number] | undefined {
  const [a, b, more] = [...selected].toSorted((x, y) => x - y);
  return a === undefined || b === undefined || more !== undefined ? undefined : [a, b];
}
