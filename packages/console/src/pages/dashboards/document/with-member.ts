/** Changes a nested property; undefined removes it. */
export function withMember(
  members: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const [name = '', ...rest] = path;
  const next = rest.length === 0 ? value : withMember(Object(members[name]) as Record<string, unknown>, rest, value);
  const { [name]: _, ...others } = members;
  if (next === undefined) return others;
  return name in members ? { ...members, [name]: next } : { ...others, [name]: next };
}
