/** An unused name, with a number after it if necessary. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let i = 1; taken.has(free); i++) free = `${name}${i}`;
  return free;
}
