/** Labels and values of groups in a text field, `name=value` on each line. */

export const labelsText = (labels: Readonly<Record<string, string>> = {}): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

export function labelsIn(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name.trim(), value.join('=').trim()];
    }),
  );
}

/** Adds or removes a line. */
export function toggledLine(text: string, line: string): string {
  const lines = text.split('\n').filter((each) => each.trim() !== '');
  return (lines.includes(line) ? lines.filter((each) => each !== line) : [...lines, line]).join('\n');
}

export const isLabelName = (name: string): boolean => /^[A-Za-z_][\w.-]{0,127}$/.test(name);
