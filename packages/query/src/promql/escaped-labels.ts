const prefix = 'U__';

/**
 * The name of a label in a path. Clients escape names that older servers would not read, such as
 * `service.name`: after a prefix, `__` is an underscore and `_2e_` the character with this code.
 */
export function labelInPath(name: string): string {
  if (!name.startsWith(prefix)) return name;
  return name
    .slice(prefix.length)
    .replaceAll(/__|_([0-9a-fA-F]{1,6})_/g, (_, code?: string) =>
      code === undefined ? '_' : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ffff)),
    );
}
