import { useNavigate } from '@tanstack/react-router';
import { useCommands } from '../data/commands.js';
import { pages } from './pages.js';

/** Commands that open pages, with keys `g` and a letter. */
export function usePageCommands(): void {
  const navigate = useNavigate();
  useCommands(
    pages
      .filter(({ id, inner }) => id !== 'specimen' && inner !== true)
      .map(({ id, title, paths, letter }) => ({
        id: `go.${id}`,
        title: `Go to ${title}`,
        group: 'Pages',
        ...(letter !== undefined && { keys: [`g ${letter}`] }),
        run: () => void navigate({ to: `/${paths[0]}` as string }),
      })),
  );
}
