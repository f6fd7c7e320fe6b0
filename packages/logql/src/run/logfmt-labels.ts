import { labelName } from './json-labels.js';

const pair = /\s*([^\s="]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s"]\S*)?))?/y;

const unescapeValue = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));

/** `key=value` pairs; of equal keys the first, and none without a value. */
export function logfmtLabels(line: string, name = (key: string) => labelName(key)): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  pair.lastIndex = 0;
  for (let at = 0; at < line.length; at = pair.lastIndex) {
    const match = pair.exec(line);
    if (match === null) break;
    const [, key, quoted, plain] = match;
    const value = quoted === undefined ? (plain ?? '') : unescapeValue(quoted);
    const label = name(key!);
    if (value !== '' && !labels.has(label)) labels.set(label, value);
  }
  return labels;
}
