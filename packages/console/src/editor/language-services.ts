import { type Completion as Offered, type CompletionResult, completionStatus } from '@codemirror/autocomplete';
import { type Diagnostic, linter } from '@codemirror/lint';
import { type EditorView, hoverTooltip } from '@codemirror/view';
import type { Completion, EditorDiagnostic, Hover } from '@millrace/apl/editor';
import { markdownNodes } from './markdown-nodes.js';

/** CodeMirror completion, diagnostics and hover of any language. */

/** A problem of a text, with fixes. */
export type EditorFinding = Pick<EditorDiagnostic, 'severity' | 'message' | 'span' | 'fixes'>;

/** Values of a field or tag, for completion; queried by the page. */
export type ValuesOf = (field: string) => Promise<readonly string[]>;

const icons: Readonly<Record<string, string>> = {
  operator: 'keyword',
  function: 'function',
  aggregate: 'method',
  field: 'property',
  dataset: 'class',
  keyword: 'keyword',
  value: 'constant',
};

/** Completions of one place; null if there are none. */
export function completionsOf(found: readonly Completion[] | undefined): CompletionResult | null {
  const [first] = found ?? [];
  if (found === undefined || first === undefined) return null;
  const { start: from, end: to } = first.range;
  return {
    from,
    to,
    // Already ranked by the language service.
    filter: false,
    options: found
      .filter(({ range }) => range.start === from)
      .map(({ label, kind, insertText, detail, documentation }): Offered => ({
        label,
        apply: insertText,
        type: icons[kind] ?? 'text',
        detail: detail === label ? '' : detail.split('\n')[0]!.slice(0, 80),
        info: () => markdownNodes(`\`\`\`\n${detail}\n\`\`\`\n${documentation}`),
      })),
  };
}

/** A word is finished, and may have problems, when nothing is typed for this long. */
const TYPING_MILLISECONDS = 600;

export const findingsOf = (
  diagnose: (text: string) => Promise<readonly EditorFinding[]>,
  onFindings: (found: readonly EditorFinding[]) => void,
  isNoQuery: () => boolean = () => false,
) =>
  linter(
    async (view): Promise<readonly Diagnostic[]> => {
      const text = view.state.doc.toString();
      const found = await diagnose(text);
      if (view.state.doc.toString() !== text) return [];
      // While completions are offered, the word is not finished.
      const isTyping = completionStatus(view.state) === 'active';
      onFindings(isTyping ? [] : found);
      if (isTyping) return [];
      if (isNoQuery()) return [];
      return found.map(({ span, severity, message, fixes }) => ({
        from: Math.min(span.start, text.length),
        to: Math.min(Math.max(span.end, span.start + 1), text.length),
        severity: severity === 'error' ? 'error' : severity === 'warning' ? 'warning' : 'info',
        message,
        actions: fixes.map(({ title, edits }) => ({
          name: title,
          apply: (target: EditorView) =>
            target.dispatch({
              changes: edits.map(({ range, newText }) => ({ from: range.start, to: range.end, insert: newText })),
            }),
        })),
      }));
    },
    {
      delay: TYPING_MILLISECONDS,
      needsRefresh: ({ state, startState }) =>
        completionStatus(startState) === 'active' && completionStatus(state) === null,
    },
  );

export const hoversOf = (hover: (text: string, offset: number) => Promise<Hover | undefined>) =>
  hoverTooltip(async (view, offset) => {
    const found = await hover(view.state.doc.toString(), offset);
    if (found === undefined) return null;
    return {
      pos: found.range.start,
      end: found.range.end,
      above: true,
      create: () => ({ dom: bubble(markdownNodes(found.markdown)) }),
    };
  });

export function bubble(content: Node): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-bubble';
  dom.append(content);
  return dom;
}
