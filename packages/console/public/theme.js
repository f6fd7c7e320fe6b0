// Runs before the first paint, so that the other theme never flashes. Reads the storage entry that
// console/data/preferences.ts writes.
try {
  const { theme } = JSON.parse(localStorage.getItem('millrace.taste') ?? '{}');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // A browser without storage has the theme of the system.
}
