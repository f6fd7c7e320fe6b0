import { Settings2 } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

export const settings: PageMeta = {
  id: 'settings',
  title: 'Settings',
  paths: ['settings'],
  rail: { icon: Settings2, group: 'server' },
  load: () => import('./page.js').then(({ SettingsPage }) => SettingsPage),
};
