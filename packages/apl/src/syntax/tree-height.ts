/** Whether nodes nest deeper than `limit`. Works without recursion, as it guards those who recurse. */
export function isTooHigh(root: object, limit: number): boolean {
  const open: { readonly value: object; readonly height: number }[] = [{ value: root, height: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const height = next.height + ('kind' in next.value ? 1 : 0);
    if (height > limit) return true;
    for (const value of Object.values(next.value)) {
      if (typeof value === 'object' && value !== null) open.push({ value, height });
    }
  }
  return false;
}
