import { Settings2 } from 'lucide-react';
import type { PageAbout } from '../page-about.js';

export const settings: PageAbout = {
  id: 'settings',
  title: 'Settings',
  paths: ['settings'],
  rail: { icon: Settings2, group: 'server' },
  load: () => import('./page.js').then(({ SettingsPage }) => SettingsPage),
};
