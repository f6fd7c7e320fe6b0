export { formatLayout } from './format-layout.js';
export { refusedSpellings, spellings, yearlessSpellings } from './variants.js';
