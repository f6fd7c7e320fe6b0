import {
  autocompletion,
  type Completion as Offered,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { type Diagnostic, linter } from '@codemirror/lint';
import { StateEffect, StateField } from '@codemirror/state';
import {
  type EditorView,
  hoverTooltip,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { EditorDiagnostic } from '@millrace/apl/editor';
import { stringText } from '../data/apl-text.js';
import { askLanguage } from './language.js';
import { markdownNodes } from './markdown-nodes.js';

/** CodeMirror completion, diagnostics, hover and signatures, from the language worker. */

/** Values of a field, for completion within quotes; queried by the page. */
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

async function offered(
  context: CompletionContext,
  valuesOf: ValuesOf,
  isNoQuery: () => boolean,
): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  // After its first word, which may become the name of a dataset, search text is not a query.
  if (!context.explicit && isNoQuery() && /\S\s/.test(text)) return null;
  const values = await offeredValues(text, context.pos, valuesOf);
  if (values !== null) return values;
  const before = text.slice(0, context.pos);
  // A space opens completion only after a pipe or keyword.
  if (!context.explicit && !/[\w.'"$]$|\|\s*$|\b(where|by|and|or|extend|project|summarize|sort|on)\s$/.test(before))
    return null;
  const found = await askLanguage('complete', text, context.pos);
  if (found === undefined || found.length === 0 || context.aborted) return null;
  const from = found[0]!.range.start;
  return {
    from,
    to: found[0]!.range.end,
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

/** In the quotes after `field ==`: values of the field. */
async function offeredValues(text: string, offset: number, valuesOf: ValuesOf): Promise<CompletionResult | null> {
  const before = text.slice(0, offset);
  const [, field, , typed] =
    /([\w.]+|\['[^'\n]+'\])\s*(==|!=|=~|has|contains|startswith|in\s*\()\s*["']([^"'\n]*)$/.exec(before) ?? [];
  if (field === undefined || typed === undefined) return null;
  const values = await valuesOf(field.replace(/^\['|'\]$/g, ''));
  if (values.length === 0) return null;
  return {
    from: offset - typed.length,
    to: offset + (/^[^"'\n]*/.exec(text.slice(offset))?.[0].length ?? 0),
    options: values.map((value) => ({
      label: value,
      type: 'constant',
      apply: (view, _completion, from, to) => applyValue(view, value, from, to),
    })),
  };
}

/** A field, an operator that compares texts, and the beginning of a value. */
const COMPARED = /([\w.]+|\['[^'\n]+'\])(?:\s*(?:==|!=|=~)\s*|\s+(?:has|contains|startswith)\s+)([\w-]*)$/;

/** After `field ==`, without a quote: values of the field, inserted with quotes. */
async function offeredUnquoted(
  context: CompletionContext,
  valuesOf: ValuesOf,
  isNoQuery: () => boolean,
): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  if (!context.explicit && isNoQuery()) return null;
  const [, field, typed] = COMPARED.exec(text.slice(0, context.pos)) ?? [];
  if (field === undefined || typed === undefined) return null;
  const values = await valuesOf(field.replace(/^\['|'\]$/g, ''));
  const fitting = values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
  if (fitting.length === 0 || context.aborted) return null;
  return {
    from: context.pos - typed.length,
    // Filtered here, and listed before functions and fields.
    filter: false,
    options: fitting.map((value) => ({ label: value, type: 'constant', apply: stringText(value) })),
  };
}

/** Inserts a value into its quotes, and moves the caret behind the closing one. */
function applyValue(view: EditorView, value: string, from: number, to: number): void {
  const quote = view.state.sliceDoc(from - 1, from);
  const isClosed = view.state.sliceDoc(to, to + 1) === quote;
  const insert = `${value.replaceAll(/["'\\]/g, String.raw`\$&`)}${quote}`;
  view.dispatch({
    changes: { from, to: isClosed ? to + 1 : to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.complete',
  });
}

/** A word is finished, and may have problems, when nothing is typed for this long. */
const TYPING_MILLISECONDS = 600;

const findings = (onFindings: (found: readonly EditorDiagnostic[]) => void, isNoQuery: () => boolean) =>
  linter(
    async (view): Promise<readonly Diagnostic[]> => {
      const text = view.state.doc.toString();
      const found = (await askLanguage('diagnose', text)) ?? [];
      if (view.state.doc.toString() !== text) return [];
      onFindings(found);
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
    { delay: TYPING_MILLISECONDS },
  );

const hovers = hoverTooltip(async (view, offset) => {
  const found = await askLanguage('hover', view.state.doc.toString(), offset);
  if (found === undefined) return null;
  return {
    pos: found.range.start,
    end: found.range.end,
    above: true,
    create: () => ({ dom: bubble(markdownNodes(found.markdown)) }),
  };
});

function bubble(content: Node): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-bubble';
  dom.append(content);
  return dom;
}

const setSignature = StateEffect.define<Tooltip | null>();

const signatureField = StateField.define<Tooltip | null>({
  create: () => null,
  update: (tooltip, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setSignature)) return effect.value;
    return transaction.docChanged && tooltip !== null
      ? { ...tooltip, pos: transaction.changes.mapPos(tooltip.pos) }
      : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

/** Signature of the call at the cursor, above the line. */
const signatures = ViewPlugin.fromClass(
  class {
    update({ view, docChanged, selectionSet, focusChanged }: ViewUpdate): void {
      if (docChanged || selectionSet || focusChanged) void this.ask(view);
    }
    async ask(view: EditorView): Promise<void> {
      const { head } = view.state.selection.main;
      const found = view.hasFocus ? await askLanguage('signature', view.state.doc.toString(), head) : undefined;
      if (view.state.selection.main.head !== head) return;
      const signature = found?.signatures[found.activeSignature];
      if (signature === undefined || found === undefined) {
        if (view.state.field(signatureField, false)) view.dispatch({ effects: setSignature.of(null) });
        return;
      }
      const active = signature.parameters[found.activeParameter];
      view.dispatch({
        effects: setSignature.of({
          pos: head,
          above: true,
          create: () => ({ dom: bubble(signatureNodes(signature.label, active)) }),
        }),
      });
    }
  },
);

function signatureNodes(label: string, active: string | undefined): Node {
  const code = document.createElement('code');
  const at = active === undefined ? -1 : label.indexOf(active);
  if (active === undefined || at < 0) {
    code.append(label);
    return code;
  }
  const strong = document.createElement('strong');
  strong.append(active);
  code.append(label.slice(0, at), strong, label.slice(at + active.length));
  return code;
}

export const languageServices = (
  valuesOf: ValuesOf,
  onFindings: (found: readonly EditorDiagnostic[]) => void,
  isNoQuery: () => boolean,
) => [
  autocompletion({
    override: [
      (context) => offeredUnquoted(context, valuesOf, isNoQuery),
      (context) => offered(context, valuesOf, isNoQuery),
    ],
    icons: true,
    activateOnTyping: true,
  }),
  findings(onFindings, isNoQuery),
  hovers,
  signatureField,
  signatures,
];
