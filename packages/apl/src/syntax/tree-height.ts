/**
 * Whether nodes nest deeper than `limit`. It does not recurse, because it protects the code that
 * does.
 */
export function isTooHigh(root: object, limit: number): boolean {
  const values: object[] = [root];
  const heights: number[] = [0];
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    const height = heights.pop()! + ('kind' in value ? 1 : 0);
    if (height > limit) return true;
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key];
      if (typeof inner !== 'object' || inner === null || key === 'span') continue;
      values.push(inner);
      heights.push(height);
    }
  }
  return false;
}
