import { lazy } from 'react';
import type { MplEditorProps } from './mpl-editor.js';
import { EditorOrPlain } from './query-editor.js';

const LazyEditor = lazy(() => import('./mpl-editor.js').then(({ MplEditor }) => ({ default: MplEditor })));

/** The editor of MPL. */
export const MetricsEditor = (props: MplEditorProps) => (
  <EditorOrPlain {...props}>
    <LazyEditor {...props} />
  </EditorOrPlain>
);
