/** A chosen column of a table. */
export interface Column {
  readonly name: string;
  readonly type: string;
  /** The width that the user chose. */
  readonly ownWidth?: number;
}

/** A column as it is shown. */
export interface TableColumn extends Column {
  readonly width: number;
  /** Whether its digits are grouped. */
  readonly isAmount?: boolean;
}

/** Reads columns of an address, with or without a width: `name:120`. */
export function columnsOf(
  chosen: readonly string[],
  fields: readonly { readonly name: string; readonly type: string }[],
): readonly Column[] {
  return chosen.map((text) => {
    const [, name = text, width] = /^(.*?)(?::(\d+))?$/s.exec(text) ?? [];
    const whole = fields.find((each) => each.name === text);
    if (whole !== undefined) return { name: text, type: whole.type };
    const type = fields.find((each) => each.name === name)?.type ?? 'string';
    return width === undefined ? { name, type } : { name, type, ownWidth: Number(width) };
  });
}

export const columnText = ({ name, ownWidth }: Column): string =>
  ownWidth === undefined ? name : `${name}:${ownWidth}`;
