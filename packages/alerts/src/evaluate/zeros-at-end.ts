/** Counts the zeros at the end of a series, and the longest run of zeros before them. */
export function zerosAtEnd(values: readonly number[]): { readonly count: number; readonly longestBefore: number } {
  let [count, longestBefore] = [0, 0];
  for (const value of values)
    if (value === 0) count++;
    else {
      longestBefore = Math.max(longestBefore, count);
      count = 0;
    }
  return { count, longestBefore };
}
