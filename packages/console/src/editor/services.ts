import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { StateEffect, StateField } from '@codemirror/state';
import { type EditorView, showTooltip, type Tooltip, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { stringText } from '../data/apl-text.js';
import { askLanguage } from './language.js';
import { bubble, completionsOf, type EditorFinding, findingsOf, hoversOf, type ValuesOf } from './language-services.js';

/** CodeMirror services of APL, from the language worker. */

async function offerCompletions(
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
  return context.aborted ? null : completionsOf(found);
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
  onFindings: (found: readonly EditorFinding[]) => void,
  isNoQuery: () => boolean,
) => [
  autocompletion({
    override: [
      (context) => offeredUnquoted(context, valuesOf, isNoQuery),
      (context) => offerCompletions(context, valuesOf, isNoQuery),
    ],
    icons: true,
    activateOnTyping: true,
  }),
  findingsOf(async (text) => (await askLanguage('diagnose', text)) ?? [], onFindings, isNoQuery),
  hoversOf((text, offset) => askLanguage('hover', text, offset)),
  signatureField,
  signatures,
];
