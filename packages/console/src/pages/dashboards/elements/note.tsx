import { lazy } from 'react';
import type { ElementKind } from './element-kind.js';

export const note: ElementKind = {
  title: 'Note',
  about: 'Text, links and lists in Markdown.',
  size: [12, 2],
  asks: false,
  starter: { text: '## Note\n\nText in *Markdown*.', variant: 'default' },
  // Markdown is a separate chunk: most dashboards have no note.
  Draw: lazy(() => import('./markdown-note.js').then(({ Note }) => ({ default: Note }))),
};
