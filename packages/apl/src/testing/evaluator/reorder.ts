import type { NamePattern, ReorderItem } from '../../syntax/ast.js';

/**
 * The names in the order of `project-reorder`: the first item that matches a name places it, `*`
 * places names that no other item matches.
 */
export function reorderedNames(names: readonly string[], items: readonly ReorderItem[]): readonly string[] {
  const others = items.filter(({ pattern }) => !isRest(pattern));
  const itemOf = (name: string): ReorderItem | undefined =>
    others.find(({ pattern }) => fits(name, pattern)) ?? items.find(({ pattern }) => isRest(pattern));
  const listed = items.flatMap((item) => {
    const own = names.filter((name) => itemOf(name) === item);
    if (item.order === undefined) return own;
    const compare = item.order.startsWith('granny') ? compareNatural : compareBytes;
    return own.toSorted((a, b) => (item.order!.endsWith('asc') ? 1 : -1) * compare(a, b));
  });
  return [...listed, ...names.filter((name) => !listed.includes(name))];
}

const isRest = ({ text, wildcard }: NamePattern): boolean => wildcard && text === '*';

const fits = (name: string, { text, wildcard }: NamePattern): boolean =>
  wildcard ? name.startsWith(text.slice(0, -1)) : name === text;

const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Digits count as the number they are: b9 before b50. */
function compareNatural(a: string, b: string): number {
  const key = (name: string): string => name.replaceAll(/\d+/g, (digits) => String(Number(digits)).padStart(20, '0'));
  return compareBytes(key(a), key(b));
}
