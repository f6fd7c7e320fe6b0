import { createRequire } from 'node:module';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** Patches ECharts where it has no option. */
const chartChanges = [
  {
    // Trusted Types reject `innerHTML = ''`; removing child nodes is equivalent.
    file: 'zrender/lib/canvas/Painter.js',
    before: "root.innerHTML = '';",
    after: 'root.replaceChildren();',
  },
  {
    // No option sets the font of the axis pointer label.
    file: 'zrender/lib/core/platform.js',
    before: "DEFAULT_FONT_FAMILY = 'sans-serif'",
    after: `DEFAULT_FONT_FAMILY = "'Plex Sans', system-ui, sans-serif"`,
  },
];

/** The build fails when a new version of the library lacks one of these places. */
function changedCharts(): Plugin {
  return {
    name: 'changed-charts',
    transform(code, id) {
      const change = chartChanges.find(({ file }) => id.includes(`/${file}`));
      if (change === undefined) return undefined;
      const { file, before, after } = change;
      if (!code.includes(before)) throw new Error(`${file} is another now: look for what was \`${before}\` in it`);
      return { code: code.replaceAll(before, after), map: null };
    },
  };
}

/**
 * `npm run dev -w packages/console` needs a running server (`npm start`) and its token in
 * MILLRACE_TOKEN: the proxy adds it, so that the page needs no session. For development only.
 */
const server = process.env['MILLRACE_URL'] ?? 'http://127.0.0.1:8080';
const token = process.env['MILLRACE_TOKEN'] ?? '';

/** Character references of Markdown. */
const entities = 'decode-named-character-reference';

export default defineConfig(({ command }) => ({
  // A proxy may serve the console below a path; the server completes the paths in the page.
  base: command === 'build' ? './' : '/console/',
  plugins: [react(), changedCharts()],
  resolve: {
    conditions: ['millrace-source', ...defaultClientConditions],
    // Its variant for browsers assigns to `innerHTML`, which Trusted Types reject: a note with
    // `&amp;` would fail. Node resolves the variant with a table.
    alias: { [entities]: createRequire(import.meta.url).resolve(entities) },
  },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    manifest: true,
    // Part of the notices of the published package.
    license: true,
    target: 'es2023',
    // Fonts and icons inside a style sheet would be part of every download; the CSP forbids data
    // URLs for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
    // Small modules that nearly every page needs are one chunk: a chunk each is a request each, and
    // compresses worse.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'data', test: /console\/src\/data\/(time|results)\// }] } },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      '/console/api': {
        target: server,
        rewrite: (path) => path.replace(/^\/console\/api/, ''),
        headers: { authorization: `Bearer ${token}` },
      },
    },
  },
}));
