/** Whether two syntax trees are equal apart from the places of their nodes. */
export function sameTree(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const keys = partsOf(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === partsOf(b).length &&
    keys.every((key) => key in b && sameTree(a[key as keyof typeof a], b[key as keyof typeof b]))
  );
}

const partsOf = (node: object): readonly string[] =>
  Object.keys(node).filter((key) => key !== 'span' && key !== 'opSpan');
