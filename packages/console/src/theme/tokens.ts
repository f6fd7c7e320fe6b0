/**
 * Colors of both themes as data. `tokens.css` is generated from them, charts read them, and
 * `palette.test.ts` checks contrasts and distances.
 */

type ThemeName = 'dark' | 'light';

interface Theme {
  /** Page, surface, raised, selected. */
  readonly bg0: string;
  readonly bg1: string;
  readonly bg2: string;
  readonly bg3: string;
  /** Decorative hairlines. */
  readonly line: string;
  /** Borders of controls. */
  readonly lineStrong: string;
  readonly text1: string;
  readonly text2: string;
  readonly text3: string;
  /** Links, focus, live state. */
  readonly accent: string;
  /** Background of the primary button's white text. */
  readonly accentFill: string;
  readonly red: string;
  readonly amber: string;
  readonly green: string;
  readonly blue: string;
  readonly violet: string;
  /** Chart series, distinct under common kinds of color blindness. */
  readonly series: readonly string[];
  /** One hue, nine steps; zero is the background. */
  readonly heat: readonly string[];
}

export const themes: Readonly<Record<ThemeName, Theme>> = {
  dark: {
    bg0: '#090f13',
    bg1: '#0f161a',
    bg2: '#161e23',
    bg3: '#1f292f',
    line: '#2d373d',
    lineStrong: '#6a777f',
    text1: '#e6ecf0',
    text2: '#adbac1',
    text3: '#8d9ba3',
    accent: '#49c7c0',
    accentFill: '#017f7f',
    red: '#f97770',
    amber: '#e9b452',
    green: '#68ca80',
    blue: '#6cb2ec',
    violet: '#b699eb',
    series: ['#55b8b5', '#dcab46', '#9b7de0', '#e16e6c', '#7fe89d', '#0780a4', '#8b7504', '#e2caf1'],
    heat: ['#12292b', '#143638', '#164546', '#185656', '#1b6867', '#207d7b', '#2c9490', '#45ada8', '#6bcac4'],
  },
  light: {
    bg0: '#f8fbfc',
    bg1: '#ffffff',
    bg2: '#eef2f5',
    bg3: '#e1e7eb',
    line: '#d3dadf',
    lineStrong: '#76828a',
    text1: '#141f25',
    text2: '#424f58',
    text3: '#5a676f',
    accent: '#016869',
    accentFill: '#017272',
    red: '#ba1e20',
    amber: '#8a5601',
    green: '#197037',
    blue: '#0262ab',
    violet: '#7444b4',
    series: ['#044744', '#df6c89', '#3363b8', '#737e00', '#8f487f', '#682700', '#798fdb', '#4f2175'],
    heat: ['#dff1f0', '#c3e4e2', '#a6d6d3', '#88c6c3', '#69b4b1', '#4aa19e', '#2d8b89', '#147473', '#015a5a'],
  },
};

/**
 * Surfaces of text and borders, and the minimum contrast (WCAG 2.2: 4.5 for text, 3 for controls
 * and shapes).
 */
export const contrasts: readonly { readonly ink: keyof Theme; readonly on: keyof Theme; readonly min: number }[] = [
  ...(['bg0', 'bg1', 'bg2', 'bg3'] as const).flatMap((on) => [
    { ink: 'text1' as const, on, min: 7 },
    { ink: 'text2' as const, on, min: 4.5 },
    { ink: 'text3' as const, on, min: 4.5 },
    { ink: 'lineStrong' as const, on, min: 3 },
  ]),
  ...(['accent', 'red', 'amber', 'green', 'blue', 'violet'] as const).flatMap((ink) =>
    (['bg0', 'bg1', 'bg2', 'bg3'] as const).map((on) => ({ ink, on, min: 4.5 })),
  ),
];

/** CSS custom properties of a theme: `bg0` is `--bg0`, the third series is `--series-3`. */
function declarations(theme: Theme): string {
  return Object.entries(theme)
    .flatMap(([name, value]: [string, string | readonly string[]]) =>
      typeof value === 'string' ? [[name, value]] : value.map((each, index) => [`${name}-${index + 1}`, each]),
    )
    .map(([name, value]) => `  --${name!.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`)
    .join('\n');
}

/** Content of `tokens.css`. */
export const stylesheet = (): string =>
  `/* Written from tokens.ts by \`npx vitest run packages/console/src/theme --update\`: change that file, not this one. */
:root,
:root[data-theme='dark'] {
  color-scheme: dark;
${declarations(themes.dark)}
}

@media (prefers-color-scheme: light) {
  :root:not([data-theme='dark']) {
    color-scheme: light;
${declarations(themes.light).replaceAll(/^/gm, '  ')}
  }
}

:root[data-theme='light'] {
  color-scheme: light;
${declarations(themes.light)}
}
`;
