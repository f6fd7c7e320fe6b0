import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { textMember } from '../document/document.js';
import styles from './elements.module.css';
import type { StaticElementProps } from './element-kind.js';

const plugins = [remarkGfm];

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
      {children}
    </a>
  ),
  // The CSP blocks external images, which would reveal viewers to their host.
  img: ({ src, alt }) => (
    <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noopener noreferrer">
      {alt === '' || alt === undefined ? 'Picture' : alt}
    </a>
  ),
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
};

/** Markdown as nodes; HTML in it stays text. */
export const Note = ({ chart }: StaticElementProps) => (
  <div className={styles.note} tabIndex={0} role="group" aria-label="Note">
    <Markdown remarkPlugins={plugins} components={components}>
      {textMember(chart, 'text') ?? ''}
    </Markdown>
  </div>
);
