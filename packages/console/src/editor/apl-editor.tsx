import {
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  acceptCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, isolateHistory, selectAll } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { forceLinting, lintKeymap } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, placeholder } from '@codemirror/view';
import type { EditorDiagnostic } from '@millrace/apl/editor';
import { useEffect, useRef } from 'react';
import { cspNonce } from './csp-nonce.js';
import styles from './editor.module.css';
import { highlight } from './highlight.js';
import { askLanguage, catalogVersionStore } from './language.js';
import { SELECT_ALL } from './select-all.js';
import { languageServices, type ValuesOf } from './services.js';

export interface AplEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  /**
   * A query; other text that Enter runs as a query; or a query of another language that cannot be
   * translated. Only a query has problems.
   */
  readonly textKind?: 'query' | 'search' | 'untranslated';
  readonly onFindings: (found: readonly EditorDiagnostic[]) => void;
  readonly valuesOf: ValuesOf;
  readonly label: string;
}

/** The editor. A change of its `value` from outside becomes one undo step. */
export function AplEditor(props: AplEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const made = new EditorView({
      parent: place.current!,
      state: EditorState.create({ doc: latest.current.text, extensions: extensions(latest) }),
    });
    view.current = made;
    made.contentDOM.addEventListener(SELECT_ALL, () => selectAll(made));
    const unsubscribe = catalogVersionStore.subscribe(() => forceLinting(made));
    return () => {
      unsubscribe();
      made.destroy();
    };
  }, []);
  useEffect(() => {
    const { current } = view;
    const present = current?.state.doc.toString();
    if (current === undefined || present === props.text) return;
    current.dispatch({
      changes: changeBetween(present!, props.text),
      // Undo returns to the text before, also right after typing.
      annotations: isolateHistory.of('full'),
    });
  }, [props.text]);
  // Underlines of a text that is no query after all go.
  useEffect(() => {
    if (view.current !== undefined) forceLinting(view.current);
  }, [props.textKind]);
  return <div ref={place} className={styles.editor} />;
}

/** The minimal change: keeps cursor, scroll and folds elsewhere. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** An asynchronous editor command. */
const prefix =
  (work: (view: EditorView) => Promise<void>) =>
  (view: EditorView): boolean => {
    void work(view);
    return true;
  };

function extensions(latest: { readonly current: AplEditorProps }) {
  const nonce = cspNonce();
  const run = (): boolean => {
    latest.current.onRun();
    return true;
  };
  return [
    ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
    Prec.highest(
      keymap.of([
        { key: 'Mod-Enter', run },
        { key: 'Shift-Alt-f', run: prefix(reformat) },
        { key: 'Alt-Enter', run: prefix(fix) },
        { key: 'Mod-Space', run: startCompletion },
        { key: 'Ctrl-Space', run: startCompletion },
        { key: 'Tab', run: acceptCompletion },
      ]),
    ),
    history(),
    drawSelection(),
    highlightSpecialChars(),
    bracketMatching(),
    closeBrackets(),
    EditorView.lineWrapping,
    placeholder('Type words to search for, or a query: logs | where status >= 500'),
    highlight,
    languageServices(
      (field) => latest.current.valuesOf(field),
      (found) => latest.current.onFindings(found),
      () => (latest.current.textKind ?? 'query') !== 'query',
    ),
    // After completion, which Enter accepts.
    keymap.of([{ key: 'Enter', run: () => latest.current.textKind === 'search' && run() }]),
    // Tab is not bound: it leaves the editor (WCAG 2.1.2).
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) latest.current.onChange(state.doc.toString());
    }),
    EditorView.domEventHandlers({ blur: (_, view) => forceLinting(view) }),
    EditorView.contentAttributes.of({
      'aria-label': latest.current.label,
      spellcheck: 'false',
      autocapitalize: 'off',
    }),
  ];
}

async function reformat(view: EditorView): Promise<void> {
  const before = view.state.doc.toString();
  const after = await askLanguage('format', before);
  if (after !== undefined && view.state.doc.toString() === before)
    view.dispatch({ changes: changeBetween(before, after) });
}

/** Best fix of the problem at the cursor, or of the first problem. */
async function fix(view: EditorView): Promise<void> {
  const before = view.state.doc.toString();
  const found = (await askLanguage('diagnose', before)) ?? [];
  if (view.state.doc.toString() !== before) return;
  const { head } = view.state.selection.main;
  const fixable = found.filter(({ fixes }) => fixes.length > 0);
  const finding = fixable.find(({ span }) => span.start <= head && head <= span.end) ?? fixable[0];
  const edits = finding?.fixes[0]?.edits ?? [];
  view.dispatch({
    changes: edits.map(({ range, newText }) => ({ from: range.start, to: range.end, insert: newText })),
  });
}
