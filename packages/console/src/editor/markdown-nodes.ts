/**
 * Markdown subset of the language's documentation as nodes: paragraphs, code blocks and inline
 * code. Text never becomes HTML.
 */
export function markdownNodes(text: string): Node {
  const root = document.createElement('div');
  root.className = 'markdown';
  for (const [index, block] of text.split(/^```\w*\n?/m).entries()) {
    if (block.trim() === '') continue;
    if (index % 2 === 1) {
      const pre = document.createElement('pre');
      pre.append(block.trimEnd());
      root.append(pre);
      continue;
    }
    for (const paragraph of block.split(/\n{2,}/)) {
      if (paragraph.trim() === '') continue;
      const element = document.createElement('p');
      for (const [part, piece] of paragraph.trim().split('`').entries()) {
        if (part % 2 === 0) element.append(piece);
        else {
          const code = document.createElement('code');
          code.append(piece);
          element.append(code);
        }
      }
      root.append(element);
    }
  }
  return root;
}
