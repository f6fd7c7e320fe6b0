import { HttpError } from '@millrace/api/errors';
import type { StatusPage } from '@millrace/api/schemas/status-page';
import type { Metadata } from '@millrace/metadata/metadata';

/** The stored status page: one document. */

type Pages = Pick<Metadata, 'statusPages'>;

/** Until it is written, it is off. */
export async function statusPage({ statusPages }: Pages): Promise<StatusPage> {
  const [stored] = await statusPages.list();
  if (stored === undefined) return { enabled: false, title: 'Status', monitors: [] };
  const { id: _, ...page } = stored;
  return page;
}

export async function writeStatusPage({ statusPages }: Pages, page: StatusPage): Promise<void> {
  const update = async (): Promise<boolean> => {
    const [stored] = await statusPages.list();
    if (stored === undefined) return false;
    await statusPages.update(stored.id, ({ id }) => ({ ...page, id }));
    return true;
  };
  if (await update()) return;
  try {
    await statusPages.create(page);
  } catch (error) {
    // Another request has created it at the same time.
    if (!(error instanceof HttpError) || error.code !== 'already-exists') throw error;
    await update();
  }
}
