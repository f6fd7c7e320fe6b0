import {
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  acceptCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, isolateHistory, selectAll } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { forceLinting, lintKeymap } from '@codemirror/lint';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Store } from '../data/store.js';
import { cspNonce } from './csp-nonce.js';
import styles from './editor.module.css';
import type { EditorFinding, ValuesOf } from './language-services.js';
import { SELECT_ALL } from './select-all.js';

export interface CodeEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  /**
   * A query; other text that Enter runs as a query; or a query of another language that cannot be
   * translated. Only a query has problems.
   */
  readonly textKind?: 'query' | 'search' | 'untranslated';
  readonly onFindings: (found: readonly EditorFinding[]) => void;
  readonly valuesOf: ValuesOf;
  readonly label: string;
  /** Shown while it is empty, if not the one of the language. */
  readonly placeholder?: string;
}

/** What an editor needs of a language. */
export interface EditorLanguage {
  readonly placeholder: string;
  readonly highlight: Extension;
  /** Completion, diagnostics and hover. */
  readonly services: (latest: { readonly current: CodeEditorProps }) => Extension;
  readonly diagnose: (text: string) => Promise<readonly EditorFinding[]>;
  readonly format?: (text: string) => Promise<string | undefined>;
  /** Version of the known names: diagnostics of earlier versions may be outdated. */
  readonly version: Store<number>;
}

/**
 * The editor. A change of its `value` from outside becomes one undo step. The language does not
 * change.
 */
export function CodeEditor({ language, ...props }: CodeEditorProps & { readonly language: EditorLanguage }) {
  const spoken = useRef(language);
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const made = new EditorView({
      parent: place.current!,
      state: EditorState.create({ doc: latest.current.text, extensions: extensions(latest, spoken.current) }),
    });
    view.current = made;
    made.contentDOM.addEventListener(SELECT_ALL, () => selectAll(made));
    const unsubscribe = spoken.current.version.subscribe(() => forceLinting(made));
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
  const max = Math.min(before.length, after.length) - start;
  while (end < max && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** An asynchronous editor command. */
const prefix =
  (work: (view: EditorView) => Promise<void>) =>
  (view: EditorView): boolean => {
    void work(view);
    return true;
  };

function extensions(latest: { readonly current: CodeEditorProps }, language: EditorLanguage) {
  const nonce = cspNonce();
  const run = (): boolean => {
    latest.current.onRun();
    return true;
  };
  return [
    ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
    Prec.highest(
      keymap.of([
        { key: 'Mod-Enter', run: (view) => (closeCompletion(view), run()) },
        { key: 'Shift-Alt-f', run: prefix((view) => reformat(view, language)) },
        { key: 'Alt-Enter', run: prefix((view) => fix(view, language)) },
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
    placeholder(latest.current.placeholder ?? language.placeholder),
    language.highlight,
    language.services(latest),
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

async function reformat(view: EditorView, { format }: EditorLanguage): Promise<void> {
  const before = view.state.doc.toString();
  const after = await format?.(before);
  if (after !== undefined && view.state.doc.toString() === before)
    view.dispatch({ changes: changeBetween(before, after) });
}

/** Best fix of the problem at the cursor, or of the first problem. */
async function fix(view: EditorView, { diagnose }: EditorLanguage): Promise<void> {
  const before = view.state.doc.toString();
  const found = await diagnose(before);
  if (view.state.doc.toString() !== before) return;
  const { head } = view.state.selection.main;
  const fixable = found.filter(({ fixes }) => fixes.length > 0);
  const finding = fixable.find(({ span }) => span.start <= head && head <= span.end) ?? fixable[0];
  const edits = finding?.fixes[0]?.edits ?? [];
  view.dispatch({
    changes: edits.map(({ range, newText }) => ({ from: range.start, to: range.end, insert: newText })),
  });
}
