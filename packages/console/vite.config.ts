import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/**
 * ECharts empties its element with `innerHTML = ''`, which Trusted Types refuse. Emptying it as
 * nodes is the same. The build fails when a version of it no longer has the place.
 */
function chartsWithoutInnerHtml(): Plugin {
  return {
    name: 'charts-without-inner-html',
    transform(code, id) {
      if (!/\/zrender\/lib\/canvas\/Painter\.js/.test(id)) return undefined;
      const changed = code.replaceAll(/root\.innerHTML = '';/g, 'root.replaceChildren();');
      if (changed === code) throw new Error('zrender empties its element in another way now: look for innerHTML in it');
      return { code: changed, map: null };
    },
  };
}

/**
 * `npm run dev -w packages/console` needs a server beside it (`npm start`), and its token in
 * MILLRACE_TOKEN: the proxy adds it, so that the page needs no session. For development only.
 */
const server = process.env['MILLRACE_URL'] ?? 'http://127.0.0.1:8080';
const token = process.env['MILLRACE_TOKEN'] ?? '';

export default defineConfig({
  base: '/console/',
  plugins: [react(), chartsWithoutInnerHtml()],
  resolve: { conditions: ['millrace-source', ...defaultClientConditions] },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // A font or an icon inside a style sheet would be loaded by everybody; the policy allows no
    // data URLs for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
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
});
