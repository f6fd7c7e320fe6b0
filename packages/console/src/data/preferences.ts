import { chosenOrganization } from './organization.js';
import { createStore, useStore } from './store.js';

/**
 * Viewer preferences, stored in the browser: theme, density, widths, last dataset. They change how
 * a link is shown, never its content.
 */
interface Preferences {
  readonly theme: 'system' | 'dark' | 'light';
  readonly density: 'normal' | 'compact';
  /** Single-key shortcuts; WCAG 2.1.4 requires a way to turn them off. */
  readonly letterKeys: boolean;
  /** `local`, `UTC` or an IANA name, for links that do not say. */
  readonly zone: string;
  readonly showFields: boolean;
  readonly showHistogram: boolean;
  readonly detailWidth: number;
  readonly detailTab: string;
  readonly lastQuery: string;
  /** Dataset of the last query; searches use it. */
  readonly lastDataset: string;
  /** Whether the sidebar shows names, where there is room. */
  readonly showPageNames: boolean;
  readonly recentRanges: readonly string[];
  readonly pinnedFields: readonly string[];
  /** IDs of dashboards that are listed first. */
  readonly starredDashboards: readonly string[];
  readonly formatOnPaste: boolean;
  /** IDs of entries run in the palette, latest first; those used most are listed first. */
  readonly usedEntries: readonly string[];
}

const plain: Preferences = {
  theme: 'system',
  density: 'normal',
  letterKeys: true,
  zone: 'local',
  showFields: true,
  showHistogram: true,
  detailWidth: 480,
  detailTab: 'fields',
  lastQuery: '',
  lastDataset: '',
  showPageNames: true,
  recentRanges: [],
  pinnedFields: [],
  starredDashboards: [],
  formatOnPaste: false,
  usedEntries: [],
};

/** `public/theme.js` reads the same entry. */
const entry = 'millrace.taste';

/** Stored values that have the expected types. */
export function parsePreferences(kept: string | null): Preferences {
  let found: Readonly<Record<string, unknown>> = {};
  try {
    found = Object(JSON.parse(kept ?? '{}')) as Readonly<Record<string, unknown>>;
  } catch {
    // Invalid data; use the defaults.
  }
  const sameType = Object.entries(plain).filter(
    ([name, value]) => typeof found[name] === typeof value && Array.isArray(found[name]) === Array.isArray(value),
  );
  return { ...plain, ...Object.fromEntries(sameType.map(([name]) => [name, found[name]])) };
}

/** What tells about data: each organization has its own. */
const ofOrganization = [
  'lastQuery',
  'lastDataset',
  'pinnedFields',
  'starredDashboards',
  'usedEntries',
] as const satisfies readonly (keyof Preferences)[];

const organizationPart = (preferences: Preferences): Partial<Preferences> =>
  Object.fromEntries(ofOrganization.map((name) => [name, preferences[name]]));

const entryOf = (organization: string): string => `${entry}.${organization}`;

const storedPreference = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

function load(): Preferences {
  const organization = chosenOrganization();
  const common = parsePreferences(storedPreference(entry));
  return organization === undefined
    ? common
    : { ...common, ...organizationPart(parsePreferences(storedPreference(entryOf(organization)))) };
}

const store = createStore(load());

/** Keeps the preferences of the organization in view, before another one is shown. */
export function keepPreferencesOf(organization: string | undefined): void {
  if (organization !== undefined)
    localStorage.setItem(entryOf(organization), JSON.stringify(organizationPart(store.get())));
}

export const usePreferences = (): Preferences => useStore(store);
export const currentPreferences = (): Preferences => store.get();

/** Overrides a preference without storing it; returns a function that restores it. */
export function overridePreferences(change: Partial<Preferences>): () => void {
  const before = store.get();
  store.set({ ...before, ...change });
  return () => store.set(before);
}

export function setPreferences(change: Partial<Preferences>): void {
  store.set({ ...store.get(), ...change });
  try {
    const organization = chosenOrganization();
    const others = organization === undefined ? {} : organizationPart(parsePreferences(storedPreference(entry)));
    localStorage.setItem(entry, JSON.stringify({ ...store.get(), ...others }));
    keepPreferencesOf(organization);
  } catch {
    // Without storage it lasts until the page closes.
  }
}
