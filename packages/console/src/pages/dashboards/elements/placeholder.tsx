import styles from './elements.module.css';
import type { ElementKind } from './element-kind.js';

export const placeholder: ElementKind = {
  title: 'Placeholder',
  about: 'Room kept for a later element.',
  size: [4, 4],
  asks: false,
  bare: true,
  starter: {},
  Draw: () => <div className={styles.placeholder}>Empty slot</div>,
};
