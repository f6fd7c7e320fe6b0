import { Component, lazy, type ReactNode, Suspense } from 'react';
import type { CodeEditorProps } from './code-editor.js';
import styles from './editor.module.css';

const LazyEditor = lazy(() => import('./apl-editor.js').then(({ AplEditor }) => ({ default: AplEditor })));

/** The editor of APL. */
export const QueryEditor = (props: CodeEditorProps) => (
  <EditorOrPlain {...props}>
    <LazyEditor {...props} />
  </EditorOrPlain>
);

/** An editor; a plain text field until its chunk has loaded, or if that fails. */
export const EditorOrPlain = ({ children, ...props }: CodeEditorProps & { readonly children: ReactNode }) => (
  <OrPlain plain={<PlainEditor {...props} />}>
    <Suspense fallback={<PlainEditor {...props} />}>{children}</Suspense>
  </OrPlain>
);

const PlainEditor = ({ text, onChange, onRun, textKind, label, placeholder }: CodeEditorProps) => (
  <textarea
    className={styles.plain}
    aria-label={label}
    value={text}
    placeholder={placeholder}
    spellCheck={false}
    rows={Math.min(12, text.split('\n').length)}
    onChange={(event) => onChange(event.target.value)}
    onKeyDown={(event) => {
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey || textKind === 'search')) return;
      event.preventDefault();
      onRun();
    }}
  />
);

class OrPlain extends Component<
  { readonly plain: ReactNode; readonly children: ReactNode },
  { readonly failed: boolean }
> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override render(): ReactNode {
    return this.state.failed ? this.props.plain : this.props.children;
  }
}
