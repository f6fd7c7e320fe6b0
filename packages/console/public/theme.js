// Before the first paint, so that nobody sees the other theme first. The rest of the console keeps
// the same entry (src/data/taste.ts).
try {
  const { theme } = JSON.parse(localStorage.getItem('millrace.taste') ?? '{}');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // A browser without storage has the theme of the system.
}
