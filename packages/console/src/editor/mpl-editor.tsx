import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import {
  complete,
  diagnose,
  format,
  hover,
  type KnownMetrics,
  nothingKnown,
  tokensOf,
  valuePlaceAt,
} from '@millrace/mpl/editor';
import { useEffect, useState } from 'react';
import { createStore } from '../data/store.js';
import { CodeEditor, type CodeEditorProps, type EditorLanguage } from './code-editor.js';
import { commentIn, highlighter, type TextMark, type MarkKind } from './highlighter.js';
import { completionsOf, findingsOf, hoversOf, type ValuesOf } from './language-services.js';

/** The editor of MPL. Its queries are short, so the language works on the page itself. */

/** The language of an editor, which knows the names of its dataset. */
function mplLanguage(): { readonly language: EditorLanguage; readonly setKnown: (known: KnownMetrics) => void } {
  const version = createStore(0);
  let known: KnownMetrics = nothingKnown;
  const diagnoseText = (text: string) =>
    Promise.resolve(text.trim() === '' ? [] : diagnose(text, known, { now: Date.now() }));
  const language: EditorLanguage = {
    placeholder: 'Choose a metric, or write a query: metrics:`http.requests` | align to 1m using prom::rate',
    highlight: highlighter(marksOf),
    services: (latest) => [
      autocompletion({
        override: [
          (context) => offeredValues(context, (tag) => latest.current.valuesOf(tag)),
          (context) => Promise.resolve(offerCompletions(context, known)),
        ],
        icons: true,
        activateOnTyping: true,
      }),
      findingsOf(diagnoseText, (found) => latest.current.onFindings(found)),
      hoversOf((text, offset) => Promise.resolve(hover(text, offset, known))),
    ],
    diagnose: diagnoseText,
    format: (text) => Promise.resolve(format(text).text.trimEnd()),
    version,
  };
  const setKnown = (next: KnownMetrics): void => {
    known = next;
    version.set(version.get() + 1);
  };
  return { language, setKnown };
}

/** Datasets, metrics and tags that it completes. */
export interface MplEditorProps extends CodeEditorProps {
  readonly known: KnownMetrics;
}

export function MplEditor({ known, ...props }: MplEditorProps) {
  const [{ language, setKnown }] = useState(mplLanguage);
  useEffect(() => setKnown(known), [known, setKnown]);
  return <CodeEditor language={language} {...props} />;
}

function offerCompletions(context: CompletionContext, known: KnownMetrics): CompletionResult | null {
  const text = context.state.doc.toString();
  const before = text.slice(0, context.pos);
  // A space opens completion only after a pipe or keyword.
  if (!context.explicit && !/[\p{L}\p{N}_`:$]$|\|\s*$|\b(where|by|to|and|or|using|map|is)\s$/u.test(before))
    return null;
  return completionsOf(complete(text, context.pos, known));
}

/** After a comparison: values of the tag, inserted with quotes. */
async function offeredValues(context: CompletionContext, valuesOf: ValuesOf): Promise<CompletionResult | null> {
  const place = valuePlaceAt(context.state.doc.toString(), context.pos);
  if (place === undefined) return null;
  const typed = place.typed.toLowerCase();
  const values = (await valuesOf(place.tag)).filter((value) => value.toLowerCase().includes(typed));
  if (values.length === 0 || context.aborted) return null;
  return {
    from: place.range.start,
    to: place.range.end,
    filter: false,
    options: values.map((value) => ({ label: value, type: 'constant', apply: value })),
  };
}

const words = new Set('and or not by to using in is contains as set param inf true false'.split(' '));

function* marksOf(text: string): Generator<TextMark> {
  const tokens = tokensOf(text);
  let before = 0;
  for (const [index, { span }] of tokens.entries()) {
    yield* commentIn(text, before, span.start);
    before = span.end;
    const kind = kindOf(tokens, index);
    if (kind !== undefined) yield { ...span, kind };
  }
  yield* commentIn(text, before, text.length);
}

function kindOf(tokens: ReturnType<typeof tokensOf>, index: number): MarkKind | undefined {
  const [before, token, after] = [tokens[index - 1], tokens[index]!, tokens[index + 1]];
  switch (token.kind) {
    case 'string':
    case 'regex':
      return 'string';
    case 'int':
    case 'float':
    case 'duration':
    case 'time':
      return 'number';
    case 'param':
      return 'word';
    case 'symbol':
      return token.text === '|' ? 'pipe' : undefined;
    case 'name':
      if (token.isQuoted) return undefined;
      if (before?.text === '|') return 'operator';
      if (words.has(token.text)) return 'word';
      return before?.text === 'using' || before?.text === '::' || after?.text === '::' ? 'call' : undefined;
    case 'comment':
    case 'end':
      return undefined;
  }
}
