import type { NamePattern } from '../syntax/ast.js';

/** Whether a name matches a pattern; `*` stands for any characters, `\*` for itself. */
export function matchesPattern(pattern: NamePattern, name: string): boolean {
  if (!pattern.wildcard) return pattern.text === name;
  const parts = pattern.text.split(/(\\\*|\*)/);
  const regex = parts
    .map((part) => (part === '*' ? '[^]*' : (part === '\\*' ? '*' : part).replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')))
    .join('');
  return new RegExp(`^${regex}$`, 'u').test(name);
}
