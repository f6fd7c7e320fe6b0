import { CodeEditor, type CodeEditorProps, type EditorLanguage } from './code-editor.js';
import { highlight } from './highlight.js';
import { askLanguage, catalogVersionStore } from './language.js';
import { languageServices } from './services.js';

const apl: EditorLanguage = {
  placeholder: 'Type words to search for, or a query: logs | where status >= 500',
  highlight,
  services: (latest) =>
    languageServices(
      (field) => latest.current.valuesOf(field),
      (found) => latest.current.onFindings(found),
      () => (latest.current.textKind ?? 'query') !== 'query',
    ),
  diagnose: async (text) => (await askLanguage('diagnose', text)) ?? [],
  format: (text) => askLanguage('format', text),
  version: catalogVersionStore,
};

export const AplEditor = (props: CodeEditorProps) => <CodeEditor language={apl} {...props} />;
