import { createStore, useStore } from './store.js';

/**
 * What a viewer likes and no link carries: theme, density, widths, the last dataset. Kept in this
 * browser. It never changes what a link shows, only how.
 */
interface Taste {
  readonly theme: 'system' | 'dark' | 'light';
  readonly density: 'normal' | 'compact';
  /** Single letters as keys; WCAG 2.1.4 wants a way to turn them off. */
  readonly letterKeys: boolean;
  /** `local`, `UTC` or a name of IANA, for links that do not say. */
  readonly zone: string;
  readonly showFields: boolean;
  readonly showHistogram: boolean;
  readonly detailWidth: number;
  readonly detailTab: string;
  readonly lastQuery: string;
  readonly recentRanges: readonly string[];
  readonly pinnedFields: readonly string[];
  readonly formatOnPaste: boolean;
}

const plain: Taste = {
  theme: 'system',
  density: 'normal',
  letterKeys: true,
  zone: 'local',
  showFields: true,
  showHistogram: true,
  detailWidth: 480,
  detailTab: 'fields',
  lastQuery: '',
  recentRanges: [],
  pinnedFields: [],
  formatOnPaste: false,
};

/** `public/theme.js` reads the same entry. */
const entry = 'millrace.taste';

/** What was kept, as far as it still has the types it should have. */
export function tasteOf(kept: string | null): Taste {
  let found: Readonly<Record<string, unknown>> = {};
  try {
    found = Object(JSON.parse(kept ?? '{}')) as Readonly<Record<string, unknown>>;
  } catch {
    // Somebody else's text; the plain taste will do.
  }
  const sameType = Object.entries(plain).filter(
    ([name, value]) => typeof found[name] === typeof value && Array.isArray(found[name]) === Array.isArray(value),
  );
  return { ...plain, ...Object.fromEntries(sameType.map(([name]) => [name, found[name]])) };
}

const kept = (): string | null => {
  try {
    return localStorage.getItem(entry);
  } catch {
    return null;
  }
};

const store = createStore(tasteOf(kept()));

export const useTaste = (): Taste => useStore(store);
export const taste = (): Taste => store.get();

/** Changes it for a while, without keeping that; returns what ends it. */
export function lendTaste(change: Partial<Taste>): () => void {
  const before = store.get();
  store.set({ ...before, ...change });
  return () => store.set(before);
}

export function setTaste(change: Partial<Taste>): void {
  store.set({ ...store.get(), ...change });
  try {
    localStorage.setItem(entry, JSON.stringify(store.get()));
  } catch {
    // A browser without storage keeps it until the page closes.
  }
}
